/*
 * Context: O.  Tests of cmd/tprof/tprof_output.c: an older tprof.out stays
 * until there is a new one.
 */
#include "tprof/tprof_output.h"

#include "compile.h"
#include "filter.h"
#include "tprof_writer.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(tprof_output, .init = compile_init, .fini = compile_fini);

/* A whole tprof.out in the directory of compile.h. */
static void
write_samples(const char *path)
{
	struct tprof_writer put = { .out = NULL };
	struct fault f;

	put.out = tprof_output_open(path, &f);
	cr_assert_not_null(put.out, "%s", f.what);
	tprof_writer_begin(&put, put.out, "backend=kernel\n", 0);
	cr_assert_eq(tprof_writer_end(&put, 0, 1, &f), 0);
	fclose(put.out);
	tprof_writer_free(&put);
}

static ino_t
inode_of(const char *path, const char *suffix)
{
	char name[4096];
	struct stat st;

	snprintf(name, sizeof(name), "%s%s", path, suffix);
	return stat(name, &st) == 0 ? st.st_ino : 0;
}

/* No file can be made from here on. */
static void
refuse_files(void)
{
	struct sock_filter code[] = {
		LD(nr),
		JEQ(SYS_openat, 0, 3),
		LD(args[2]),
		JMP(BPF_JSET, O_CREAT, 0, 1),
		RET(ERRNO | ENOSPC),
		YES,
	};
	const struct sock_fprog p = { sizeof(code) / sizeof(code[0]), code };

	cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	cr_assert_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p), 0);
}

Test(tprof_output, the_older_ones_stay_without_room_for_another)
{
	char *path = strdup(compile_path("tprof.out"));
	ino_t last, older;
	struct fault f;

	write_samples(path);
	older = inode_of(path, "");
	write_samples(path);
	last = inode_of(path, "");
	cr_assert_neq(last, older);
	cr_assert_eq(inode_of(path, ".old"), older);
	refuse_files();
	cr_expect_null(tprof_output_open(path, &f));
	cr_expect_eq(f.errnum, ENOSPC);
	cr_expect_eq(inode_of(path, ""), last);
	cr_expect_eq(inode_of(path, ".old"), older);
	free(path);
}

Test(tprof_output, is_for_its_owner)
{
	char *path = strdup(compile_path("tprof.out"));
	struct stat st;

	for (unsigned i = 0; i < 2; i++) {
		write_samples(path);
		cr_assert_eq(stat(path, &st), 0);
		cr_expect_eq(st.st_mode & 07777, 0600);
	}
	free(path);
}

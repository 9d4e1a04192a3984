/* Context: O.  Tests of core/runtime/seal.c: a file that has to be moved. */
#include "seal.h"
#include "target.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* As on a network directory: the live file is elsewhere. */
static void
start(void)
{
	target_init();
	target_birth();
	mon->store.local = true;
	mon->store.final = mon->store_final;
	strcpy(mon->store_final, target_path("final"));
}

TestSuite(seal, .init = start, .fini = target_fini);

static bool
there(const char *path)
{
	return access(path, F_OK) == 0;
}

Test(seal, moved)
{
	struct target_file t;

	strcpy(mon->birth_scratch, "the command line");
	seal_process(FORMAT_END_EXIT, 0);
	cr_expect_str_eq(mon->birth_scratch, "the command line",
	    "another thread may be writing it into the file");
	cr_expect_not(there(mon->store.path));
	cr_expect_not(there(target_path("final.part")));
	target_read(&t, mon->store.final);
	target_read_fini(&t);
}

/* Its limit is the program's to lower: no SIGXFSZ. */
static int
seal_below_limit(void)
{
	struct rlimit r = {4096, 4096};

	mon->pid = getpid();
	if (setrlimit(RLIMIT_FSIZE, &r) != 0)
		return __LINE__;
	seal_process(FORMAT_END_EXIT, 0);
	return 0;
}

Test(seal, not_moved_past_the_file_size_limit)
{
	struct target_file t;
	struct stat st;

	sys_madvise(mon->store.base, mon->store.cap, MADV_DOFORK);
	cr_expect_eq(target_child(seal_below_limit), 0);
	cr_expect_not(there(mon->store.final));
	cr_expect_not(there(target_path("final.part")));
	cr_assert_eq(stat(mon->store.path, &st), 0);
	cr_expect_lt(st.st_size, TARGET_CAP, "it is cut where it lies");
	target_read(&t, mon->store.path);
	target_read_fini(&t);
}

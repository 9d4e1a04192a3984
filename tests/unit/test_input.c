/* Context: O.  Tests of core/load/input.c, load.c and read_inputs.c. */
#include "input_files.h"
#include "load.h"
#include "base/mount_guard.h"
#include "read/read_inputs.h"
#include "build.h"
#include "compile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

TestSuite(input, .init = input_setup, .fini = input_teardown);

/* A process of the run `run` that was born at `birth` seconds. */
static void
put_profile(const char *name, int pid, int run, uint64_t birth)
{
	struct build b;
	struct format_header *h;

	build_init(&b);
	build_node(&b, build_root(&b, build_thread(&b, pid, "main")),
	    FORMAT_USER, build_module(&b, "/none/x", 1, 2), 0x10, 1, 1000);
	h = build_header(&b);
	h->pid = pid;
	h->run_pid = run;
	h->birth_real = birth * 1000000000u;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, name), 0);
	build_fini(&b);
}

static void
expect_files(const char *want)
{
	char got[512] = "";

	for (size_t i = 0; i < in.count; i++)
		sprintf(got + strlen(got), "%s ", in.files[i].path);
	cr_expect_str_eq(got, want);
}

Test(input, takes_the_newest_run_whole)
{
	put_profile("mon.out", 10, 10, 100);
	put_profile("mon.out.11", 11, 10, 101);
	put_profile("mon.out.7", 7, 5, 90);
	/* An old run whose child came last is still the older run. */
	put_profile("mon.out.6", 6, 5, 200);
	put_profile("mon.outside", 9, 10, 300);
	put_profile("other", 9, 10, 300);
	cr_assert_eq(input_add_default(&in, &fault), 0);
	expect_files("mon.out mon.out.11 ");
}

Test(input, finds_nothing_where_nothing_is)
{
	input_put_text("mon.c", "");
	cr_assert_eq(input_add_default(&in, &fault), 0);
	expect_files("");
}

/* It is not readable: here, as no descriptor is left. */
Test(input, names_the_directory_that_it_cannot_list)
{
	struct rlimit old, none;

	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &old), 0);
	none = (struct rlimit) { .rlim_max = old.rlim_max };
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	cr_expect_neq(input_add_default(&in, &fault), 0);
	setrlimit(RLIMIT_NOFILE, &old);
	cr_assert_not_null(fault.file);
	cr_expect_str_eq(fault.file, ".");
	cr_expect_eq(fault.errnum, EMFILE);
}

Test(input, takes_the_directory_of_profdir)
{
	cr_assert_eq(compile_run("mkdir d"), 0);
	put_profile("mon.out", 1, 1, 1);
	put_profile("d/2.b", 2, 2, 2);
	put_profile("d/1.a", 1, 1, 1);
	setenv("PROFDIR", "d", 1);
	cr_assert_eq(input_add_default(&in, &fault), 0);
	expect_files("d/1.a d/2.b ");
}

/* An earlier run must not be shown as the one that PROFDIR was meant for. */
Test(input, refuses_profdir_that_is_none)
{
	put_profile("mon.out", 1, 1, 1);
	setenv("PROFDIR", "/none/such", 1);
	cr_assert_eq(input_add_default(&in, &fault), -ENOTDIR);
	cr_expect_str_eq(fault.file, "/none/such");
	cr_expect_eq(in.count, 0);
	setenv("PROFDIR", "", 1);
	cr_assert_eq(input_add_default(&in, &fault), 0);
	expect_files("mon.out ");
}

Test(input, passes_over_what_is_no_profile_in_a_directory)
{
	cr_assert_eq(compile_run("mkdir -p d/sub && mkfifo d/fifo && "
	    "ln -s /none d/link"), 0);
	input_put_text("d/empty", "");
	input_put_text("d/text", "hello\n");
	put_profile("d/1.a", 1, 1, 1);
	input_gather("d");
	cr_expect_str_eq(said, "d/link: cannot be opened\n");
	cr_expect_eq(model.files, 1);
	model_free(&model);
}

Test(input, says_which_file_is_damaged_and_shows_the_rest)
{
	cr_assert_eq(compile_run("mkdir d"), 0);
	put_profile("d/1.a", 1, 1, 1);
	put_profile("d/2.b", 2, 2, 2);
	cr_assert_eq(truncate("d/2.b", 4200), 0);
	input_gather("d");
	cr_expect_eq(strncmp(said, "d/2.b: ", 7), 0, "%s", said);
	cr_expect_eq(model.files, 1);
	cr_expect_eq(model.rows[0].count, 1);
	model_free(&model);
}

Test(input, says_which_file_a_transfer_damaged)
{
	cr_assert_eq(compile_run("mkdir d"), 0);
	put_profile("d/1.a", 1, 1, 1);
	put_profile("d/2.b", 2, 2, 2);
	cr_assert_eq(compile_run("tr -d '\\r' < d/2.b > d/3.c && rm d/2.b"), 0);
	input_gather("d");
	cr_expect_str_eq(said, "d/3.c: damaged in transfer: its bytes were "
	    "converted as text\n");
	cr_expect_eq(model.files, 1);
	model_free(&model);
}

/* A program that is just starting, or was killed there, spoils no report. */
Test(input, passes_over_a_file_that_is_only_begun)
{
	struct build b;

	cr_assert_eq(compile_run("mkdir d"), 0);
	put_profile("d/1.a", 1, 1, 1);
	build_init(&b);
	build_header(&b)->state = FORMAT_INCOMPLETE;
	cr_assert_eq(build_save(&b, "d/2.b"), 0);
	build_fini(&b);
	input_gather("d");
	cr_expect_str_eq(said, "");
	cr_expect_eq(model.files, 1);
	model_free(&model);
	input_gather("d/2.b");
	cr_expect_eq(strncmp(said, "d/2.b: no profile yet", 21), 0, "%s",
	    said);
	model_free(&model);
}

Test(input, refuses_a_named_file_that_is_no_profile)
{
	input_put_text("text", "hello\n");
	input_gather("text");
	cr_expect_str_eq(said, "text: not a profile of libmon\n");
	model_free(&model);
}

Test(input, adds_a_file_once)
{
	put_profile("a", 1, 1, 1);
	cr_assert_eq(link("a", "b"), 0);
	cr_assert_eq(symlink("a", "c"), 0);
	cr_assert_eq(input_add(&in, "a", &fault), 0);
	cr_assert_eq(input_add(&in, "b", &fault), 0);
	input_gather("c");
	cr_expect_eq(model.files, 1);
	cr_expect_eq(model.rows[0].count, 1);
	model_free(&model);
}

/* A seal that was killed while it copied the live file to its place. */
Test(input, passes_over_the_copy_of_a_killed_seal)
{
	cr_assert_eq(compile_run("mkdir d"), 0);
	input_put_live("live", 1, 2, 0);
	input_put_live("d/1.a.part", 1, 2, 0);
	input_put_pointer("d/1.a", compile_path("live"), 0);
	input_gather("d");
	cr_expect_str_eq(said, "");
	expect_files("d/1.a ");
	cr_expect_eq(model.rows[0].count, 1);
	model_free(&model);
	input_free(&in);
	cr_assert_eq(truncate("d/1.a.part", 100), 0);
	input_gather("d");
	expect_files("d/1.a ");
	model_free(&model);
	input_free(&in);
	cr_assert_eq(chdir("d"), 0);
	cr_assert_eq(rename("1.a", "mon.out"), 0);
	cr_assert_eq(rename("1.a.part", "mon.out.part"), 0);
	cr_assert_eq(input_add_default(&in, &fault), 0);
	expect_files("mon.out ");
}

/* Its name is that of a program "a.part", of another process, or all that is
 * left. */
Test(input, takes_a_profile_whose_name_ends_as_a_copy)
{
	cr_assert_eq(compile_run("mkdir d"), 0);
	input_put_live("d/1.a", 1, 2, 0);
	input_put_live("d/1.a.part", 1, 2, 0);
	input_put_live("live", 1, 2, 0);
	input_put_live("d/1.b.part", 3, 2, 0);
	input_put_pointer("d/1.b", compile_path("live"), 0);
	input_put_live("d/1.c.part", 1, 2, 0);
	input_put_pointer("d/1.c", "/none/live", 0);
	input_put_live("d/1.d.part", 1, 2, 0);
	cr_assert_eq(input_add(&in, "d", &fault), 0);
	expect_files("d/1.a d/1.a.part d/1.b d/1.b.part d/1.c d/1.c.part "
	    "d/1.d.part ");
}

/* By whatever way; what is only called alike is another. */
Test(input, a_directory_to_keep_out_of)
{
	static const char *const in_it[] = {
		"out", "out/x", "out/../out/x", "./out//x", "other/../out",
		"link", "link/x", "deep/up/x", "chain/x", "other/self/out/x",
	};
	static const char *const not_in_it[] = {
		"", "outer", "outer/x", "other/out", "out.x", "other",
		"loop/x", "away/x",
	};
	char top[4096], path[4200];

	cr_assert_eq(compile_run("mkdir -p out outer other deep && "
	    "ln -s out link && ln -s ../out deep/up && ln -s deep/up chain && "
	    "ln -s \"$PWD\" other/self && ln -s loop loop && "
	    "ln -s other away"), 0);
	cr_assert_not_null(realpath(".", top));
	snprintf(path, sizeof(path), "%s/out/x", top);
	cr_expect_not(mount_guard_contains(path));
	snprintf(path, sizeof(path), "%s/out", top);
	mount_guard_set(path);
	for (size_t i = 0; i < sizeof(in_it) / sizeof(in_it[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", top, in_it[i]);
		cr_expect(mount_guard_contains(path), "%s", path);
		cr_expect(mount_guard_contains(in_it[i]), "%s", in_it[i]);
	}
	for (size_t i = 0; i < sizeof(not_in_it) / sizeof(not_in_it[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", top, not_in_it[i]);
		cr_expect_not(mount_guard_contains(path), "%s", path);
		cr_expect_not(mount_guard_contains(not_in_it[i]), "%s",
		    not_in_it[i]);
	}
}

/* Context: O.  Tests of input that is live: pointers to live profiles. */
#include "input_files.h"
#include "load.h"
#include "base/mount_guard.h"
#include "read/read_inputs.h"
#include "build.h"
#include "compile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(input_live, .init = input_setup, .fini = input_teardown);

Test(input_live, follows_a_pointer)
{
	input_put_live("live", 1, 2, 0);
	input_put_pointer("mon.out", compile_path("live"), 0);
	input_gather("mon.out");
	cr_expect_str_eq(said, "");
	cr_expect_eq(model.files, 1);
	model_free(&model);
}

/* Its own was removed, and another process had the name after it. */
Test(input_live, does_not_follow_a_pointer_to_another_process)
{
	static const struct {
		int pid;
		uint64_t start;
		unsigned boot;
	} not[] = {
		{ 3, 2, 0 }, { 1, 3, 0 }, { 1, 2, 1 },
	};

	input_put_pointer("a", compile_path("live"), 0);
	for (size_t i = 0; i < 3; i++) {
		input_put_live("live", not[i].pid, not[i].start, not[i].boot);
		input_gather("a");
		cr_expect_str_eq(said, "a: names a profile of another "
		    "process\n");
		cr_expect_eq(model.files, 0);
		model_free(&model);
		input_free(&in);
	}
}

Test(input_live, follows_a_pointer_once)
{
	input_put_pointer("a", compile_path("b"), 0);
	input_put_pointer("b", compile_path("a"), 0);
	input_gather("a");
	cr_expect_str_eq(said, "a: names a profile that does not exist\n");
	model_free(&model);
}

Test(input_live, does_not_follow_a_pointer_of_another_boot)
{
	input_put_live("live", 1, 2, 1);
	input_put_pointer("a", compile_path("live"), 1);
	input_gather("a");
	cr_expect_str_eq(said, "a: names a profile on another host, or from "
	    "before a reboot\n");
	cr_expect_eq(model.files, 0);
	model_free(&model);
}

Test(input_live, reads_a_live_file_only_as_far_as_it_is_used)
{
	struct build b;
	struct load l;

	build_init(&b);
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 1, 1000);
	cr_assert_eq(build_save(&b, "live"), 0);
	build_fini(&b);
	cr_assert_eq(load_open(&l, "live", &fault), 0);
	cr_expect_lt(l.copy.size, 1 << 20);
	load_close(&l);
}

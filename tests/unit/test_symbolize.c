/* Context: O.  Tests of core/model: which name a place is given. */
#include "table/disambiguate.h"

#include "merged.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* complaints 52, 53. */
Test(symbolize, names_what_has_no_name_by_module_and_offset)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	process(&b, 100, 5);
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_NAME);
	cr_expect_str_eq(model_function_name(&m, line(0)->function),
	    "lib.so+0x10");
	/* The call ends at 0x20: it is looked up before it. */
	cr_expect_str_eq(model_function_name(&m, line(1)->function),
	    "lib.so+0x1f");
	done();
}

/*
 * Three functions of one short name, one of them with two lines, one beside
 * them, and one of C.
 */
Test(symbolize, tells_functions_of_one_name_apart)
{
	static const char *const name[] = {
		"_Z3addii", "_Z3addff", "_Z3subii", "main", "_Z3addll",
	};
	static const char *const want[] = {
		"add(int, int)", "add(float, float)", "sub", "main",
		"add(long, long)",
	};
	static const uint32_t function[] = { 0, 1, 0, 4, 2, 3 };
	struct group_line lines[6];

	start(1u << GROUP_FUNCTION);
	m.demangle = DEMANGLE_SHORT;
	m.functions = calloc(5, sizeof(*m.functions));
	m.function_count = m.function_room = 5;
	for (uint32_t i = 0; i < 5; i++) {
		m.functions[i].name = name[i];
		m.functions[i].named = true;
	}
	for (uint32_t i = 0; i < 6; i++) {
		lines[i].function = function[i];
		lines[i].module = MODEL_NONE;
	}
	g.lines = lines;
	g.count = 6;
	cr_assert_eq(disambiguate_names(&m, &g), 0);
	for (uint32_t i = 0; i < 5; i++)
		cr_expect_str_eq(model_function_name(&m, i), want[i]);
	g.lines = NULL;
	done();
}

/* Two builds at one path, a namesake elsewhere, and one that is alone. */
Test(symbolize, tells_modules_of_one_name_apart)
{
	static const char *const path[] = {
		"/x/lib.so", "/y/lib.so", "/x/lib.so", "/x/own.so",
	};
	static const char *const want[] = {
		"/x/lib.so#1", "/x/lib.so#2", "/y/lib.so", "own.so",
	};
	uint32_t module, root;
	struct build b;

	start(1u << GROUP_MODULE);
	build_init(&b);
	root = build_root(&b, build_thread(&b, 1, "main"));
	for (uint32_t i = 0; i < 4; i++) {
		module = build_module(&b, path[i], 0x1000, 0x9000);
		build_module_at(&b, module)->build_id_bytes = 1;
		build_module_at(&b, module)->build_id[0] = (uint8_t)(i + 1);
		build_module_at(&b, module)->load_mono += i;
		build_node(&b, root, FORMAT_USER, module, 0x10, 1, MS);
	}
	add(&b);
	finish(1u << GROUP_MODULE, GROUP_SORT_NAME);
	cr_assert_eq(disambiguate_names(&m, &g), 0);
	cr_assert_eq(g.count, 4);
	for (size_t i = 0; i < 4; i++) {
		bool found = false;

		for (size_t j = 0; j < 4; j++)
			found |= strcmp(model_module_name(&m,
			    line(j)->module), want[i]) == 0;
		cr_expect(found, "%s", want[i]);
	}
	done();
}

static const char *map_name = "made";

/*
 * "MODULE FUNCTION" of generated code whose process has a map: the last change
 * of that decides.
 */
static const char *
generated(int64_t after_birth, uint64_t namespace_off, uint32_t how)
{
	static char shown[64];
	uint32_t node;
	char path[64];
	struct timespec when[2];
	struct build b;
	uint64_t now = (uint64_t)time(NULL) * 1000000000u;
	FILE *out;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", 0x3ffffff);
	out = fopen(path, "w");
	cr_assert_not_null(out);
	fprintf(out, "1000 100 %s\n", map_name);
	fclose(out);
	when[0].tv_sec = when[1].tv_sec = (time_t)(now / 1000000000u) +
	    after_birth;
	when[0].tv_nsec = when[1].tv_nsec = 0;
	cr_assert_eq(utimensat(AT_FDCWD, path, when, 0), 0);
	start(1u << GROUP_FUNCTION);
	build_init(&b);
	build_here(&b);
	build_header(&b)->pid = 0x3ffffff;
	build_header(&b)->euid = geteuid();
	build_header(&b)->pid_namespace += namespace_off;
	node = build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x1010, 1, MS);
	build_node_at(&b, node)->how = how;
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->birth_real = now;
	build_header(&b)->end_real = now + 10 * 1000000000ull;
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	snprintf(shown, sizeof(shown), "%s %s",
	    m.modules[line(0)->module].name,
	    model_function_name(&m, line(0)->function));
	done();
	unlink(path);
	return shown;
}

Test(symbolize, takes_a_jit_map_for_that_of_its_process_only)
{
	static const char without[] = "[generated code] [generated code]";

	cr_expect_str_eq(generated(5, 0, FORMAT_HOW_PC),
	    "[generated code] made");
	cr_expect_str_eq(generated(-1000, 0, FORMAT_HOW_PC), without);
	cr_expect_str_eq(generated(1000, 0, FORMAT_HOW_PC), without);
	cr_expect_str_eq(generated(5, 1, FORMAT_HOW_PC), without);
}

/* CPython's -X perf gives names to functions of Python in this way. */
Test(symbolize, tells_python_from_other_generated_code)
{
	map_name = "py::f:/a/job.py";
	cr_expect_str_eq(generated(5, 0, FORMAT_HOW_PC),
	    "[python] py::f:/a/job.py");
	cr_expect_str_eq(generated(5, 0, FORMAT_HOW_UNMAPPED),
	    "[python] py::f:/a/job.py");
	map_name = "python";
	cr_expect_str_eq(generated(5, 0, FORMAT_HOW_PC),
	    "[generated code] python");
}

/* An address that no mapping held is not called generated code. */
Test(symbolize, tells_generated_code_from_an_unknown_place)
{
	cr_expect_str_eq(generated(1000, 0, FORMAT_HOW_UNMAPPED),
	    "[no module] [no module]");
	cr_expect_str_eq(generated(5, 0, FORMAT_HOW_UNMAPPED),
	    "[generated code] made");
}

/* Its address is an offset, which the map of code knows nothing of. */
Test(symbolize, names_nothing_of_a_module_that_the_file_lost)
{
	uint32_t lost;
	struct build b;
	FILE *out;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", 0x3fffffe);
	out = fopen(path, "w");
	cr_assert_not_null(out);
	fprintf(out, "1000 100 %s\n", map_name);
	fclose(out);
	start(1u << GROUP_FUNCTION);
	build_init(&b);
	build_here(&b);
	build_header(&b)->pid = 0x3fffffe;
	build_header(&b)->euid = geteuid();
	build_header(&b)->birth_real = (uint64_t)time(NULL) * 1000000000u;
	lost = build_module(&b, "/none/lib.so", 0x1000, 0x9000);
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, lost, 0x1010, 1, MS);
	build_header(&b)->modules = 0;
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_str_eq(model_function_name(&m, line(0)->function),
	    "[module not in the file]");
	cr_expect_eq(g.count, 1);
	done();
	unlink(path);
}

/* An address of the kernel means nothing after a reboot. */
Test(symbolize, names_kernel_functions_of_this_boot_only)
{
	for (unsigned ours = 0; ours < 2; ours++) {
		struct build b;

		start(1u << GROUP_FUNCTION);
		build_init(&b);
		build_here(&b);
		build_header(&b)->boot_id[3] ^= (uint8_t)!ours;
		build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
		    FORMAT_KFUNC, 0, 0xffffffff81000010, 1, MS);
		add(&b);
		finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
		cr_expect_eq(line(0)->module, ours ? MODEL_MODULE_KERNEL :
		    MODEL_MODULE_REBOOTED);
		done();
	}
}

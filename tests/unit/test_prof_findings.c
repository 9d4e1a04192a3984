/* Context: O.  Tests of core/view/findings, by the reports of cmd/prof. */
#include "command.h"
#include "findings/package.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(prof_findings, .init = command_init, .fini = compile_fini);

/* Addresses in the two modules; a frame's address is behind the call. */
enum {
	MALLOC = 0x100, READ = 0x200, LOCK = 0x300, EVAL = 0x400,
	WORK = 0x100, CALLS = 0x200,
};

struct made {
	struct build b;
	uint32_t program, libc, root, calls;
};

static struct format_place
place(struct made *p, uint64_t at, const char *name)
{
	return (struct format_place) {
		.address = at, .start = at - at % 0x100,
		.name = build_string(&p->b, name),
	};
}

/* A process whose function calls() has called everything but work(). */
static void
begin(struct made *p)
{
	build_init(&p->b);
	p->program = build_module(&p->b, "/none/prog", 0x10000, 0x20000);
	p->libc = build_module(&p->b, "/none/libc.so.6", 0x30000, 0x40000);
	p->root = build_root(&p->b, build_thread(&p->b, 1, "main"));
	p->calls = build_node(&p->b, p->root, FORMAT_FRAME, p->program,
	    CALLS + 9, 0, 0);
}

static void
work(struct made *p, uint64_t ms)
{
	build_node(&p->b, p->root, FORMAT_USER, p->program, WORK + 1, ms,
	    ms * MS);
}

static void
end(struct made *p, uint64_t ms)
{
	struct format_place program[] = {
		place(p, WORK + 1, "work"), place(p, CALLS + 8, "calls"),
	};
	struct format_place libc[] = {
		place(p, MALLOC + 1, "malloc"), place(p, READ + 1, "read"),
		place(p, LOCK + 1, "pthread_mutex_lock"),
		place(p, EVAL + 1, "_PyEval_EvalFrameDefault"),
	};

	build_names(&p->b, p->program, program, 2, NULL, 0);
	build_names(&p->b, p->libc, libc, 4, NULL, 0);
	build_seal(&p->b, FORMAT_END_EXIT, 0);
	build_header(&p->b)->cpu_ns = ms * MS;
	build_header(&p->b)->cpu_birth_ns = 0;
	build_header(&p->b)->fine_seen = 1u << FORMAT_FINE_ON;
	cr_assert_eq(build_save(&p->b, compile_path("mon.out")), 0);
	build_fini(&p->b);
}

static void
expect_line(const char *options, const char *line)
{
	cr_expect_eq(prof(options), 0, "%s", err);
	cr_expect_not_null(strstr(out, line), "%s not in\n%s", line, out);
}

static void
expect_none(const char *options)
{
	cr_expect_eq(prof(options), 0, "%s", err);
	cr_expect_null(strstr(out, "Findings"), "%s", out);
}

Test(prof_findings, memory)
{
	struct made p;

	begin(&p);
	work(&p, 6000);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, MALLOC + 1, 4000,
	    4000 * (uint64_t)MS);
	end(&p, 10000);
	expect_line("", "\nFindings (--explain: all, and what to do):\n"
	    "  40.0 % +-1.0  memory allocation (malloc, free), called by calls "
	    "(40.0 %)\n");
	expect_line("--explain", "\nFindings:\n"
	    "  40.0 % +-1.0  memory allocation (malloc, free), called by calls "
	    "(40.0 %)\n                prof --tree --focus='/^(malloc|");
	/* No table of all functions by time. */
	expect_none("--no-footer");
	expect_none("--by=module");
	expect_none("--function=malloc");
	expect_none("--tree");
	expect_none("--csv");
}

/* Time in the kernel and in malloc() is of other findings. */
Test(prof_findings, libraries)
{
	struct made p;

	begin(&p);
	work(&p, 5000);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, READ + 1, 3000,
	    3000 * (uint64_t)MS);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, MALLOC + 1, 2000,
	    2000 * (uint64_t)MS);
	end(&p, 10000);
	expect_line("", "\nFindings (--explain: all, and what to do):\n"
	    "  30.0 % +-0.9  libraries, without malloc; the program's "
	    "functions, with what libraries did for each: work (50.0 %), calls "
	    "(50.0 %)\n");
	expect_line("--explain", "prof --mine lists all of these functions");
}

/* The share is above 5 %, and less its error it is not. */
Test(prof_findings, are_sure)
{
	struct made p;

	begin(&p);
	work(&p, 93);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, MALLOC + 1, 7, 7 * MS);
	end(&p, 100);
	expect_none("");
	expect_line("--explain", "\nFindings: none above 5 % of the time\n");
	begin(&p);
	work(&p, 93000);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, MALLOC + 1, 7000,
	    7000 * (uint64_t)MS);
	end(&p, 100000);
	expect_line("", "   7.0 % +-0.2  memory allocation ");
	begin(&p);
	work(&p, 96000);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, MALLOC + 1, 4000,
	    4000 * (uint64_t)MS);
	end(&p, 100000);
	expect_none("");
}

/* All samples of a short program may be of one cause by chance. */
Test(prof_findings, have_samples)
{
	struct made p;

	begin(&p);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, MALLOC + 1, 19,
	    19 * MS);
	end(&p, 19);
	expect_none("");
	begin(&p);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, MALLOC + 1, 20,
	    20 * MS);
	end(&p, 20);
	expect_line("", " memory allocation ");
}

/* Time of the kernel that no sample stands for is no function's. */
Test(prof_findings, kernel_is_not_the_program)
{
	struct made p;

	begin(&p);
	work(&p, 3000);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, READ + 1, 3000,
	    3000 * (uint64_t)MS);
	build_header(&p.b)->system_ns = 4000 * (uint64_t)MS;
	end(&p, 10000);
	expect_line("", " what libraries did for each: work (30.0 %), calls "
	    "(30.0 %)\n");
}

/* No caller of many is named that has little of it. */
Test(prof_findings, by_many)
{
	struct made p;

	begin(&p);
	work(&p, 9000);
	for (unsigned i = 1; i <= 25; i++)
		build_node(&p.b, build_node(&p.b, p.root, FORMAT_FRAME,
		    p.program, 0x1000 * i, 0, 0), FORMAT_USER, p.libc,
		    MALLOC + 1, 40, 40 * MS);
	end(&p, 10000);
	expect_line("", "  10.0 % +-0.6  memory allocation (malloc, free)\n");
}

Test(prof_findings, kernel)
{
	struct made p;

	begin(&p);
	work(&p, 6000);
	build_node(&p.b, p.calls, FORMAT_KERNEL, p.libc, READ + 2, 3000,
	    3000 * (uint64_t)MS);
	build_header(&p.b)->system_ns = 4000 * (uint64_t)MS;
	end(&p, 10000);
	expect_line("", "  40.0 % +-0.9  the kernel: read (30.0 %), page "
	    "faults and interrupts (10.0 %); called by calls (30.0 %)\n");
	expect_line("--explain", "\nNames in brackets\n"
	    "  [kernel: page faults and interrupts]: kernel time outside of ");
}

Test(prof_findings, explains_functions_of_the_profiler)
{
	struct made p;
	uint32_t own;

	begin(&p);
	work(&p, 900);
	own = build_module(&p.b, "/lib/libmon.so", 0x70000000, 0x70010000);
	build_module_at(&p.b, own)->flags |= FORMAT_M_OURS;
	build_node(&p.b, p.root, FORMAT_USER, own, 0x1000, 100, 100 * MS);
	end(&p, 1000);
	expect_line("--explain", "\nNames in brackets\n"
	    "  [libmon]: functions of libmon.so itself, which count "
	    "allocations and calls and take samples; --all-frames shows "
	    "each\n");
	cr_expect_eq(prof("--explain --all-frames"), 0);
	cr_expect_null(strstr(out, "[libmon]"), "%s", out);
}

/* Sleep has no share of CPU time, and a short one beside that is no finding. */
Test(prof_findings, locks)
{
	struct made p;

	for (uint64_t ms = 40; ms <= 2000; ms += 1960) {
		begin(&p);
		work(&p, 1000);
		build_header(&p.b)->clock = FORMAT_CLOCK_WALL;
		build_node(&p.b, p.calls, FORMAT_SLEEP, p.libc, LOCK + 2,
		    ms, ms * MS);
		build_node(&p.b, p.calls, FORMAT_SLEEP, p.libc, READ + 2,
		    9000, 9000 * (uint64_t)MS);
		end(&p, 1000);
		if (ms == 40)
			expect_none("");
	}
	expect_line("", "   2.000 s      asleep until a lock was free, most by "
	    "calls (2.000 s)\n");
}

Test(prof_findings, stacks_that_end_early)
{
	struct made p;
	uint32_t cut;

	begin(&p);
	work(&p, 5000);
	cut = build_node(&p.b, p.root, FORMAT_CUT, 0, FORMAT_CUT_TABLE, 0, 0);
	build_node(&p.b, build_node(&p.b, cut, FORMAT_FRAME, p.libc, READ + 2,
	    0, 0), FORMAT_USER, p.program, WORK + 1, 5000, 5000 * (uint64_t)MS);
	end(&p, 10000);
	expect_line("", "  50.0 % +-1.0  stacks without their outer callers: "
	    "no unwind table or frame pointer (50.0 %); in libc.so.6 "
	    "(50.0 %)\n");
	expect_line("--explain", "\n  [no callers: no unwind table or frame "
	    "pointer]: generated or assembler code, ");
}

/* Three stand below the table, the largest first; --explain has all four. */
Test(prof_findings, the_largest_three)
{
	const char *const kinds[] = { "generated code", "the kernel", "memory",
	    "called from Python" };
	const char *last = out;
	uint32_t eval;
	struct made p;

	begin(&p);
	work(&p, 1000);
	eval = build_node(&p.b, p.calls, FORMAT_FRAME, p.libc, EVAL + 2, 0, 0);
	build_node(&p.b, eval, FORMAT_USER, p.program, WORK + 1, 900,
	    900 * MS);
	build_node(&p.b, p.calls, FORMAT_USER, p.libc, MALLOC + 1, 1000,
	    1000 * (uint64_t)MS);
	build_node(&p.b, p.calls, FORMAT_KERNEL, p.libc, READ + 2, 2000,
	    2000 * (uint64_t)MS);
	build_node(&p.b, p.calls, FORMAT_USER, 0, 0x900000, 4000,
	    4000 * (uint64_t)MS);
	end(&p, 8900);
	cr_expect_eq(prof(""), 0);
	for (unsigned i = 0; i < 3; i++) {
		const char *at = strstr(strstr(out, "Findings"), kinds[i]);

		cr_assert_not_null(at, "%s not in\n%s", kinds[i], out);
		cr_expect_gt(at, last);
		last = at;
	}
	cr_expect_null(strstr(out, kinds[3]), "%s", out);
	expect_line("--explain", kinds[3]);
}

/* Samples of another event than a clock have no time. */
Test(prof_findings, of_time_alone)
{
	const char *path = compile_path("p");
	FILE *p = fopen(path, "w");

	fputs("t 1/1 1.0: 7000 cycles:\n\t10 malloc (/t)\n\t20 f (/t)\n\n", p);
	fclose(p);
	expect_none("p");
	p = fopen(path, "w");
	for (unsigned i = 0; i < 100; i++)
		fputs("t 1/1 1.0: 7000000 cpu-clock:\n\t10 malloc (/t)\n"
		    "\t20 f (/t)\n\n", p);
	fclose(p);
	expect_line("p", "  memory allocation (malloc, free), called by f ");
}

static void
put_list(const char *name, const char *text)
{
	FILE *out_file = fopen(compile_path(name), "w");

	cr_assert_not_null(out_file);
	fputs(text, out_file);
	fclose(out_file);
}

Test(prof_findings, packages)
{
	char room[32], short_room[4];

	cr_assert_eq(mkdir(compile_path("info"), 0700), 0);
	put_list("info/zlib1g:amd64.list", "/.\n/lib\n/lib/libz.so.1.2.13\n");
	put_list("info/tool.list", "/usr/bin/tool\n/opt/tool");
	put_list("info/tool.md5sums", "/opt/sums\n");
	cr_expect(package_find(compile_path("info"), "/usr/lib/libz.so.1.2.13",
	    room, sizeof(room)));
	cr_expect_str_eq(room, "zlib1g");
	cr_expect(package_find(compile_path("info"), "/opt/tool", room,
	    sizeof(room)));
	cr_expect_str_eq(room, "tool");
	cr_expect_not(package_find(compile_path("info"), "/opt/sums", room,
	    sizeof(room)));
	cr_expect_not(package_find(compile_path("info"), "/opt/too", room,
	    sizeof(room)));
	cr_expect_not(package_find(compile_path("info"), "/opt/tool",
	    short_room, sizeof(short_room)));
	cr_expect_not(package_find(compile_path("none"), "/opt/tool", room,
	    sizeof(room)));
	cr_expect(package_symbols("zlib1g", room, sizeof(room)));
	cr_expect_str_eq(room, "zlib1g-dbgsym");
	cr_expect(package_symbols("libc6", room, sizeof(room)));
	cr_expect_str_eq(room, "libc6-dbg");
	cr_expect_not(package_symbols("python3.11-minimal", room,
	    sizeof(room)));
}

/* A path is found wherever the list is parted as it is read. */
Test(prof_findings, packages_with_long_lists)
{
	static char text[140000];
	const char *path = "/usr/bin/far", *lists;
	char room[32];

	cr_assert_eq(mkdir(compile_path("info"), 0700), 0);
	for (size_t before = 65500; before < 65560; before++) {
		memset(text, 'x', sizeof(text) - 1);
		text[before] = '\n';
		memcpy(text + before + 1, path, strlen(path));
		put_list("info/far.list", text);
		lists = compile_path("info");
		cr_assert_not(package_find(lists, path, room, sizeof(room)),
		    "a longer path");
		text[before + 1 + strlen(path)] = '\n';
		put_list("info/far.list", text);
		lists = compile_path("info");
		cr_assert(package_find(lists, path, room, sizeof(room)),
		    "behind %zu bytes", before);
		text[before] = 'x';
		put_list("info/far.list", text);
		lists = compile_path("info");
		cr_assert_not(package_find(lists, path, room, sizeof(room)),
		    "the end of a path");
	}
}

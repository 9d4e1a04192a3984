/*
 * Context: O.  Tests of cmd/prof: the screen of each view, to the byte, on a
 * terminal of 80 columns.  The screens are in tests/unit/screens; each profile
 * is made here.
 */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

TestSuite(prof_screens, .init = command_init, .fini = compile_fini);

/* Addresses behind calls, or in functions, of two modules. */
enum {
	MAIN = 0x1100, SERVE = 0x1200, PARSE = 0x1300, LOOKUP = 0x1400,
	MALLOC = 0x5100, READ = 0x5200, LOCK = 0x5300,
};

static const struct { uint64_t start; const char *name; } names[] = {
	{ MAIN, "main" },
	{ SERVE, "_ZN6server6handleERKNSt7__cxx1112basic_stringIcSt11char_trait"
	    "sIcESaIcEEE" },
	{ PARSE, "_ZN4json6Parser5parseEv" },
	{ LOOKUP, "_ZN5store5CacheINS_3KeyENS_5ValueENS_4HashENS_5EqualEE4find"
	    "ERKS1_" },
	{ MALLOC, "malloc" }, { READ, "read" },
	{ LOCK, "pthread_mutex_lock" },
};

struct made {
	struct build b;
	uint32_t program, libc;
};

static void
begin(struct made *p)
{
	build_init(&p->b);
	p->program = build_module(&p->b, "/srv/bin/server", 0x10000, 0x20000);
	build_module_at(&p->b, p->program)->flags |= FORMAT_M_MAIN;
	p->libc = build_module(&p->b, "/none/libc.so.6", 0x30000, 0x40000);
}

/* Adds names for the addresses, and saves the profile of so much CPU time. */
static void
end(struct made *p, const char *name, uint64_t cpu_ms)
{
	struct format_place places[2][8];
	size_t count[2] = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const bool libc = names[i].start >= MALLOC;

		for (uint64_t at = 1; at <= 0x10; at += 0xf)
			places[libc][count[libc]++] = (struct format_place) {
				.address = names[i].start + at,
				.start = names[i].start,
				.name = build_string(&p->b, names[i].name),
			};
	}
	build_names(&p->b, p->program, places[0], count[0], NULL, 0);
	build_names(&p->b, p->libc, places[1], count[1], NULL, 0);
	build_seal(&p->b, FORMAT_END_EXIT, 0);
	build_header(&p->b)->fine_seen = 1u << FORMAT_FINE_ON;
	build_header(&p->b)->cpu_birth_ns = 0;
	build_header(&p->b)->cpu_ns = cpu_ms * MS;
	cr_assert_eq(build_save(&p->b, compile_path(name)), 0);
	build_fini(&p->b);
}

static uint32_t
call(struct made *p, uint32_t from, uint64_t start)
{
	return build_node(&p->b, from, FORMAT_FRAME, p->program, start + 0x11,
	    0, 0);
}

static void
spend(struct made *p, uint32_t from, uint32_t module, uint64_t start,
    uint64_t ms)
{
	build_node(&p->b, from, FORMAT_USER, module, start + 1, ms, ms * MS);
}

/* A server: of 10 s, `lookup_ms` are in a look-up, the rest where it was. */
static void
put_time(const char *name, uint64_t lookup_ms)
{
	struct made p;
	uint32_t top, serve, parse;

	begin(&p);
	top = call(&p, build_root(&p.b, build_thread(&p.b, 7, "server")), MAIN);
	serve = call(&p, top, SERVE);
	parse = call(&p, serve, PARSE);
	spend(&p, serve, p.program, PARSE, 2500);
	spend(&p, parse, p.libc, MALLOC, 1500);
	spend(&p, serve, p.program, LOOKUP, lookup_ms);
	build_node(&p.b, serve, FORMAT_KERNEL, p.libc, READ + 2, 1000,
	    1000 * (uint64_t)MS);
	build_header(&p.b)->system_ns = 1000 * (uint64_t)MS;
	end(&p, name, 5000 + lookup_ms);
}

static void
allocate(struct made *p, uint32_t from, uint64_t blocks, uint64_t bytes,
    uint64_t freed_blocks)
{
	const uint64_t freed = bytes / blocks * freed_blocks;
	struct format_heap *h = build_heap(&p->b, build_node(&p->b, from,
	    FORMAT_FRAME, p->libc, MALLOC + 0x11, 0, 0), blocks, bytes);

	h->freed_blocks = freed_blocks;
	h->freed_bytes = freed;
	h->era = 1;
	h->peak_bytes = bytes - freed;
	h->high_bytes = bytes - freed / 2;
	h->temporary_blocks = freed_blocks / 2;
}

/* A server as above: a cache that grows, and texts that are freed at once. */
static void
put_heap(const char *name)
{
	struct made p;
	uint32_t top, serve;

	begin(&p);
	build_memory(&p.b, 1, 48714216);
	for (uint64_t i = 1; i <= 8; i++)
		build_point(&p.b, (1000 + i) * 1000 * MS, i * 6089277,
		    i * (8 << 20));
	top = call(&p, build_alloc_thread_root(&p.b,
	    build_alloc_thread(&p.b)), MAIN);
	serve = call(&p, top, SERVE);
	allocate(&p, call(&p, serve, LOOKUP), 500000, 32000000, 1000);
	allocate(&p, call(&p, serve, PARSE), 4000000, 400000000, 3999990);
	allocate(&p, top, 1, 16 << 20, 0);
	end(&p, name, 0);
}

/* A thread that runs, and one that sleeps in a look-up and in a read. */
static void
put_sleep(const char *name)
{
	struct made p;
	uint32_t top, serve;

	begin(&p);
	top = call(&p, build_root(&p.b, build_thread(&p.b, 7, "server")), MAIN);
	serve = call(&p, top, SERVE);
	spend(&p, serve, p.program, PARSE, 4000);
	build_node(&p.b, call(&p, serve, LOOKUP), FORMAT_SLEEP, p.libc,
	    LOCK + 2, 2000, 2000 * (uint64_t)MS);
	build_node(&p.b, serve, FORMAT_SLEEP, p.libc, READ + 2, 4000,
	    4000 * (uint64_t)MS);
	build_header(&p.b)->clock = FORMAT_CLOCK_WALL;
	end(&p, name, 4000);
}

/*
 * A program with a source of four lines, of that name in an assembler's string.
 * The assembler's directives give the lines, so the code does not depend on the
 * compiler.
 */
static void
put_code(const char *name, const char *file)
{
	char source[512];
	struct build b;
	struct stat st;
	uint32_t module, root;
	uint64_t at;

	cr_assert_eq(compile_run("printf 'long\\nsum(long n)\\n{\\n\\treturn n < "
	    "2 ? n : n + sum(n - 1);\\n}\\n' >sum.c"), 0);
	snprintf(source, sizeof(source),
	    "\t.file \"%s\"\n\t.text\n\t.globl sum\n\t.type sum, "
	    "@function\n\t.file 1 \"%s\"\nsum:\n\t.loc 1 3\n\tnop\n"
	    "\t.loc 1 4\n\tnop\n\tnop\n\t.loc 1 5\n\tnop\n"
	    "\t.size sum, .-sum\n", file, file);
	compile_source("prog", ".s", "-nostdlib -static -g0 -Wl,-e,sum "
	    "-Wl,-Ttext=0x401000", source);
	at = compile_address("prog", "sum");
	cr_assert_eq(stat(compile_path("prog"), &st), 0);
	build_init(&b);
	build_header(&b)->birth_real = (uint64_t)time(NULL) * 1000000000u +
	    5000000000u;
	module = build_module(&b, compile_path("prog"), 0x1000, 0x9000);
	build_module_at(&b, module)->device =
	    (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
	build_module_at(&b, module)->inode = st.st_ino;
	build_module_at(&b, module)->load_mono = build_header(&b)->birth_mono;
	root = build_root(&b, build_thread(&b, 1, "main"));
	for (uint64_t i = 0; i < 4; i++)
		build_node(&b, root, FORMAT_USER, module, at + i, 10 + 100 * i,
		    (10 + 100 * i) * MS);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

/* Shows the view on a terminal, and compares with the screen of that name. */
static void
expect_screen(const char *view, const char *screen)
{
	static char want[sizeof(out)];
	const char *source = getenv("MON_SRC");
	char command[512], path[256];
	FILE *file;

	snprintf(command, sizeof(command), "script -qec \"stty cols 80 rows "
	    "50; TZ=UTC NO_COLOR=1 '${PROF:-prof}' %s\" /dev/null 2>.err | "
	    "tr -d '\\r' | sed \"s,$PWD,/src,\" >.out", view);
	cr_assert_eq(compile_run(command), 0);
	slurp(".out", out, sizeof(out));
	snprintf(path, sizeof(path), "%s/tests/unit/screens/%s.txt",
	    source != NULL ? source : "..", screen);
	file = fopen(path, "r");
	cr_assert_not_null(file, "%s", path);
	want[fread(want, 1, sizeof(want) - 1, file)] = '\0';
	fclose(file);
	cr_expect_str_eq(out, want, "prof %s gives\n%s", view, out);
}

Test(prof_screens, time)
{
	put_time("mon.out", 5000);
	expect_screen("", "flat");
	expect_screen("--tree", "tree");
	expect_screen("--callers", "callers");
	expect_screen("--graph", "graph");
	expect_screen("--explain", "explain");
	expect_screen("--by=module,mode --error --verbose", "modules");
}

Test(prof_screens, difference)
{
	put_time("old", 5000);
	put_time("new", 2000);
	expect_screen("--diff=old new", "diff");
}

Test(prof_screens, heap)
{
	put_heap("mon.out");
	expect_screen("", "heap-summary");
	expect_screen("--heap", "heap-flat");
	expect_screen("--heap=leaked --tree", "heap-tree");
	expect_screen("--heap=growth", "heap-growth");
}

Test(prof_screens, sleep)
{
	put_sleep("mon.out");
	expect_screen("", "sleep");
	expect_screen("--asleep", "asleep");
	expect_screen("--asleep --tree", "asleep-tree");
	expect_screen("--asleep --mine", "asleep-mine");
}

Test(prof_screens, code)
{
	put_code("mon.out", "sum.c");
	expect_screen("--annotate=sum --no-footer", "annotate");
}

/* The name of a file is the program's, and a terminal obeys it. */
Test(prof_screens, code_of_a_file_with_an_escape)
{
	put_code("mon.out", "\\033[7m.c");
	cr_expect_eq(prof("--annotate=sum --all-lines"), 0, "%s", err);
	cr_expect_null(strchr(out, '\033'), "%s", out);
	cr_expect_not_null(strstr(out, "      4  [?[7m.c]\n"), "%s", out);
	cr_expect_eq(prof("--annotate=sum"), 0, "%s", err);
	cr_expect_null(strchr(out, '\033'), "%s", out);
}

/* The library has no time of its own, and the function is the wrong one. */
Test(prof_screens, code_that_a_filter_leaves_out)
{
	struct made p;
	uint32_t from;

	begin(&p);
	from = build_node(&p.b, build_root(&p.b, build_thread(&p.b, 7, "t")),
	    FORMAT_FRAME, p.libc, READ + 0x11, 0, 0);
	spend(&p, from, p.program, LOOKUP, 100);
	end(&p, "mon.out", 100);
	cr_expect_eq(prof("--annotate=nosuch --module=libc.so.6"), 1);
	cr_expect_eq(strncmp(err, "prof: --annotate=nosuch: nothing that the "
	    "other filters leave has that name", 74), 0, "%s", err);
	cr_expect_eq(prof("--annotate=read --module=nosuch"), 1);
	cr_expect_eq(strncmp(err, "prof: --module=nosuch: ", 23), 0, "%s",
	    err);
}

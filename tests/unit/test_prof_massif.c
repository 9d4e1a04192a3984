/* Context: O.  Tests of core/export/tools/export_massif.c: --write=massif. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BIRTH	(1000 * 1000000000ull)	/* of build_init() */

TestSuite(prof_massif, .init = command_init, .fini = compile_fini);

/* One path of so many functions has all that is live. */
static void
save(const char *name, unsigned deep, bool points, uint64_t period)
{
	struct build b;
	struct format_memory *memory;
	struct format_heap *h;
	uint32_t m, at;

	build_init(&b);
	m = build_module(&b, "/bin/pr\nog", 0x5000, 0x15000);
	at = build_alloc_thread_root(&b, build_alloc_thread(&b));
	for (unsigned i = deep; i > 0; i--)
		at = build_node(&b, at, FORMAT_FRAME, m, 0x100 * i, 0, 0);
	h = build_heap(&b, at, 2, 3000);
	h->era = 1;
	h->peak_bytes = 2500;
	h->freed_bytes = 1000;
	memory = build_at(&b, build_memory(&b, 1, 2500));
	memory->period = period;
	if (points) {
		build_point(&b, BIRTH + 3 * MS, 2000, 0);
		build_point(&b, BIRTH + 2 * MS, 2100, 8192);
		build_point(&b, BIRTH + 1 * MS, 10, 4096);
	}
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

#define SNAPSHOT(n, ms, bytes, kind) \
	"#-----------\nsnapshot=" #n "\n#-----------\ntime=" #ms "\n" \
	"mem_heap_B=" #bytes "\nmem_heap_extra_B=0\nmem_stacks_B=0\n" \
	"heap_tree=" kind "\n"
#define TREE(bytes) \
	"n1: " #bytes " (heap allocation functions) malloc/new/new[], " \
	"--alloc-fns, etc.\n" \
	" n1: " #bytes " 0x0: pr?og+0xff (in pr?og)\n" \
	"  n0: " #bytes " 0x0: pr?og+0x1ff (in pr?og)\n"

/* The peak is more than any moment: that is said. */
Test(prof_massif, snapshots)
{
	char text[65536];

	save("p", 2, true, 0);
	cr_assert_eq(prof("--heap --write=massif -o out p"), 0, "%s", err);
	slurp("out", text, sizeof(text));
	cr_expect_str_eq(text,
	    "desc: of a profile of libmon, 3 moments; the peak, 2500 bytes, is "
	    "shown at that with the most, 2100\ncmd: prog\ntime_unit: ms\n"
	    SNAPSHOT(0, 1, 10, "empty")
	    SNAPSHOT(1, 2, 2500, "peak") TREE(2500)
	    SNAPSHOT(2, 3, 2000, "empty")
	    SNAPSHOT(3, 3, 2000, "detailed") TREE(2000), "%s", text);
	save("p", 2, true, 1 << 19);
	cr_assert_eq(prof("--heap --write=massif -o out p"), 0, "%s", err);
	slurp("out", text, sizeof(text));
	cr_expect_not_null(strstr(text, "; estimates, as some blocks were "
	    "looked at for all\ncmd"), "%s", text);
}

/* Deeper stacks end before perl complains. */
Test(prof_massif, deep)
{
	char text[65536];
	unsigned lines = 0;

	save("deep", 200, true, 0);
	cr_assert_eq(prof("--heap --write=massif -o out deep"), 0, "%s", err);
	slurp("out", text, sizeof(text));
	for (const char *s = text; (s = strstr(s, " 0x0: ")) != NULL; s++)
		lines++;
	cr_expect_eq(lines, 2 * 90);
	cr_expect_not_null(strstr(text, "  n0: 2500 0x0: pr?og+0x59ff"), "%s",
	    text);
}

Test(prof_massif, without_moments)
{
	save("none", 2, false, 0);
	cr_expect_eq(prof("--heap --write=massif -o out none"), 1);
	cr_expect_not_null(strstr(err, "prof: none: no point of the heap "
	    "timeline was recorded at offset "), "%s", err);
	cr_expect_neq(access(compile_path("out"), F_OK), 0);
}

/* A process without a heap is read first. */
Test(prof_massif, names_the_process_with_the_heap)
{
	char text[65536];
	struct build b;

	build_init(&b);
	build_header(&b)->pid = 1;
	build_header(&b)->exe = build_string(&b, "/bin/other");
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("a")), 0);
	build_fini(&b);
	save("b", 2, true, 0);
	cr_assert_eq(prof("--heap --write=massif -o out a b"), 0, "%s", err);
	slurp("out", text, sizeof(text));
	cr_expect_not_null(strstr(text, "\ncmd: prog\n"), "%s", text);
}

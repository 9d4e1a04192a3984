/* Context: O.  See stack_profile.h. */
#include "stack_profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

void
stacks_fill(struct build *b)
{
	uint32_t m = build_module(b, "/nowhere/prog", 0, 0x10000);

	for (int tid = 1; tid <= 2; tid++) {
		uint32_t root = build_root(b, build_thread(b, tid, "t"));
		uint32_t top = build_node(b, root, FORMAT_FRAME, m, MAIN, 0, 0);
		uint32_t left = build_node(b, top, FORMAT_FRAME, m, LEFT, 0, 0);
		uint32_t right = build_node(b, top, FORMAT_FRAME, m, RIGHT, 0,
		    0);
		uint32_t cut = build_node(b, root, FORMAT_CUT, 0,
		    FORMAT_CUT_TABLE, 0, 0);

		build_node(b, left, FORMAT_USER, m, LEAF, 60, 600 * MS);
		build_node(b, right, FORMAT_USER, m, LEAF, 10, 100 * MS);
		build_node(b, top, FORMAT_USER, m, MAIN - 1, 10, 100 * MS);
		build_node(b, cut, FORMAT_USER, m, LEAF, 20, 200 * MS);
	}
}

void
stacks_save(const char *name)
{
	struct build b;

	build_init(&b);
	stacks_fill(&b);
	build_header(&b)->cpu_ns = 2000 * MS;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

void
stacks_expect(const char *arguments, const char *want)
{
	cr_expect_eq(prof(arguments), 0, "%s: %s", arguments, err);
	cr_expect_str_eq(out, want, "%s gives\n%s", arguments, out);
}

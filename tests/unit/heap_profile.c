/* Context: O.  See heap_profile.h. */
#include "heap_profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

uint32_t
heap_frame(struct build *b, uint32_t parent, uint32_t module, uint64_t n)
{
	return build_node(b, parent, FORMAT_FRAME, module, 0x100 * n, 0, 0);
}

void
heap_save(const char *name, uint64_t blocks, bool pure)
{
	struct build b;
	struct format_heap *h;
	uint32_t m, root, thread;

	build_init(&b);
	m = build_module(&b, "/bin/prog", 0x5000, 0x15000);
	if (!pure)
		build_node(&b, build_root(&b, build_thread(&b, 1, "t")),
		    FORMAT_USER, m, 0x900, 5, 5 * MS);
	build_memory(&b, 3, 5300);
	thread = build_alloc_thread(&b);
	root = build_alloc_thread_root(&b, thread);
	h = build_heap(&b, heap_frame(&b, heap_frame(&b, root, m, 1), m, 2),
	    blocks,
	    100 * blocks);
	h->freed_blocks = blocks - 1;
	h->freed_bytes = 100 * (blocks - 1);
	h->temporary_blocks = 1;
	h->era = 3;
	h->peak_bytes = 300;
	h->high_bytes = 400;
	build_heap(&b, heap_frame(&b, root, m, 3), 1, 5000);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

void
heap_shows(const char *arguments, const char *wanted)
{
	cr_expect_eq(prof(arguments), 0, "%s: %s", arguments, err);
	cr_expect_str_eq(out, wanted, "%s: %s", arguments, out);
}

void
heap_shows_below_head(const char *arguments, const char *wanted)
{
	const char *below;

	cr_expect_eq(prof(arguments), 0, "%s: %s", arguments, err);
	below = strstr(out, "\n\n");
	cr_assert_not_null(below, "%s: %s", arguments, out);
	cr_expect_str_eq(below + 2, wanted, "%s: %s", arguments, out);
}

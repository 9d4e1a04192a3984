/* Context: O.  A model made of files in memory, for tests of core/model. */
#include "merged.h"

#include "read/read_profile.h"

#include <criterion/criterion.h>
#include <string.h>

struct filter filter;
struct model m;
struct group g;

void
start(unsigned by)
{
	cr_assert_eq(model_init(&m, &filter, group_keep(by), DEMANGLE_OFF), 0);
}

void
add(struct build *b)
{
	struct decode d;
	struct fault f;

	cr_assert_eq(decode_open(&d, b->bytes, build_size(b), &f), 0, "%s",
	    f.what);
	cr_assert_eq(read_profile_add(&m, &d, &f), 0);
	decode_close(&d);
	build_fini(b);
}

void
finish(unsigned by, enum group_sort sort)
{
	struct group_options o = { .by = by, .sort = sort };

	cr_assert_eq(model_finish(&m), 0);
	cr_assert_eq(symbolize_all(&m, NULL, NULL), 0);
	cr_assert_eq(group_make(&g, &m, &o), 0);
}

void
done(void)
{
	group_free(&g);
	model_free(&m);
	filter_free(&filter);
	memset(&filter, 0, sizeof(filter));
}

void
process(struct build *b, int pid, uint64_t ms)
{
	uint32_t module;

	build_init(b);
	build_header(b)->pid = pid;
	module = build_module(b, "/none/lib.so", 0x1000, 0x9000);
	build_node(b, build_root(b, build_thread(b, pid, "main")),
	    FORMAT_USER, module, 0x10, ms, ms * MS);
	build_node(b, build_root(b, build_thread(b, pid + 1, "work")),
	    FORMAT_KERNEL, module, 0x20, ms, ms * MS);
}

const struct group_line *
line(size_t i)
{
	cr_assert_lt(i, g.count);
	return &g.lines[i];
}

/* Context: O.  Tests of core/format/decode/snapshot.c, against a writer at
 * work. */
#include "decode/snapshot.h"

#include "build.h"
#include "decode/decode.h"
#include "random.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#define WRITERS	4
#define NODES	4000

/*
 * Writers that take, fill and publish as those of the target do, each a step
 * at a time, between any two units that the copy reads.
 */
struct sim {
	struct build b;
	uint64_t random;
	unsigned pace;		/* a step in so many units read; 0 = none */
	unsigned modules_at;	/* the same for modules; 0 = none */
	bool sealed;
	struct {
		uint32_t index, parent, module;
		bool filled;
	} writer[WRITERS];
	uint32_t module;	/* newest */
	uint32_t node[NODES];	/* roots, then published nodes */
	unsigned nodes, reads;
};

static void
step_node(struct sim *s)
{
	uint32_t i = random_below(&s->random, WRITERS);
	struct format_node *n;

	if (s->writer[i].index == 0) {
		s->writer[i].parent = s->node[random_below(&s->random,
		    s->nodes)];
		s->writer[i].module = s->module;
		s->writer[i].filled = false;
		s->writer[i].index = build_take(&s->b, sizeof *n);
		return;
	}
	n = build_node_at(&s->b, s->writer[i].index);
	if (!s->writer[i].filled) {
		n->parent = s->writer[i].parent;
		n->module = s->writer[i].module;
		n->kind = FORMAT_USER;
		s->writer[i].filled = true;
		return;
	}
	n->sibling = build_node_at(&s->b, n->parent)->child;
	build_node_at(&s->b, n->parent)->child = s->writer[i].index;
	n->count = 1;
	s->node[s->nodes++] = s->writer[i].index;
	s->writer[i].index = 0;
}

static void
step(struct sim *s)
{
	if (s->sealed || s->nodes == NODES)
		return;
	if (s->modules_at != 0 && random_below(&s->random, s->modules_at) == 0)
		s->module = build_module(&s->b, "/lib/late.so", 1, 2);
	if (s->pace != 0 && random_below(&s->random, s->pace) == 0)
		step_node(s);
	build_node_at(&s->b, s->node[random_below(&s->random, s->nodes)])
	    ->count++;
}

/* pread(2) of a sparse file as long as its cap, with steps in between. */
static long
sim_read(void *arg, void *to, size_t count, uint64_t offset)
{
	struct sim *s = arg;
	size_t done = 0;

	s->reads++;
	while (done < count) {
		uint64_t at = offset + done;
		size_t size = s->sealed ? build_size(&s->b) : BUILD_CAP;
		size_t n = count - done < 16 ? count - done : 16;

		if (at >= size)
			break;
		if (at + n > s->b.room)
			memset((char *)to + done, 0, n);
		else
			memcpy((char *)to + done, s->b.bytes + at, n);
		done += n;
		step(s);
	}
	return (long)done;
}

static void
start(struct sim *s, uint64_t seed, unsigned pace, unsigned modules_at)
{
	memset(s, 0, sizeof *s);
	s->random = seed;
	build_init(&s->b);
	s->module = build_module(&s->b, "/bin/prog", 1, 2);
	for (int i = 0; i < 4; i++)
		s->node[s->nodes++] = build_root(&s->b,
		    build_thread(&s->b, i, "t"));
	while (s->nodes < NODES / 4)
		step_node(s);
	s->pace = pace;
	s->modules_at = modules_at;
}

struct met {
	uint32_t index[NODES];
	unsigned count;
};

static int
note(void *arg, uint32_t index, const struct format_node *n)
{
	struct met *met = arg;

	cr_assert_eq(n->kind, FORMAT_USER);
	cr_assert_lt(met->count, NODES);
	met->index[met->count++] = index;
	return 0;
}

static bool
has(const struct met *met, uint32_t index)
{
	for (unsigned i = 0; i < met->count; i++)
		if (met->index[i] == index)
			return true;
	return false;
}

/* Decodes the copy; every node that was published before is in it. */
static uint64_t
check(struct snapshot *copy, const uint32_t *nodes, unsigned count)
{
	static struct met met;
	struct format_thread t;
	struct decode d;
	struct fault f;
	uint32_t at = 0;
	uint64_t cut;

	met.count = 0;
	cr_assert_eq(decode_open(&d, copy->bytes, copy->size, &f), 0, "%s",
	    f.what);
	while (decode_thread(&d, &at, &t, &f) == 1)
		cr_assert_eq(decode_tree(&d, t.root, note, &met, &f), 0,
		    "%s at %#jx", f.what, (uintmax_t)f.offset);
	for (unsigned i = 4; i < count; i++)
		cr_assert(has(&met, nodes[i]), "node %u of %u lost", i, count);
	cut = d.cut;
	decode_close(&d);
	return cut;
}

static uint64_t
copy_at_work(uint64_t seed, unsigned pace, unsigned modules_at)
{
	static struct sim s;
	struct snapshot copy;
	struct fault f;
	unsigned before;
	uint64_t cut;

	start(&s, seed, pace, modules_at);
	before = s.nodes;
	cr_assert_eq(snapshot_take(&copy, sim_read, &s, &f), 0);
	cut = check(&copy, s.node, before);
	snapshot_fini(&copy);
	build_fini(&s.b);
	return cut;
}

Test(snapshot, nothing_moves)
{
	cr_assert_eq(copy_at_work(1, 0, 0), 0);
}

Test(snapshot, nodes_come)
{
	for (uint64_t seed = 1; seed <= 50; seed++)
		cr_assert_eq(copy_at_work(seed, 1u << seed % 10, 0), 0);
}

Test(snapshot, modules_come_now_and_then)
{
	for (uint64_t seed = 1; seed <= 50; seed++)
		cr_assert_eq(copy_at_work(seed, 1u << seed % 10, 60000), 0);
}

/* More than it has patience for: cut, but nothing is wrong or lost. */
Test(snapshot, modules_come_all_the_time)
{
	uint64_t cuts = 0;

	for (uint64_t seed = 1; seed <= 20; seed++)
		cuts += copy_at_work(seed, 200, 1000);
	cr_assert_gt(cuts, 0);
}

static long
seal_and_read(void *arg, void *to, size_t count, uint64_t offset)
{
	struct sim *s = arg;

	if (s->reads == 1) {
		build_seal(&s->b, FORMAT_END_EXIT, 0);
		s->sealed = true;
	}
	return sim_read(s, to, count, offset);
}

Test(snapshot, sealed_and_truncated_meanwhile)
{
	static struct sim s;
	struct snapshot copy;
	struct fault f;

	start(&s, 9, 0, 0);
	cr_assert_eq(snapshot_take(&copy, seal_and_read, &s, &f), 0);
	cr_expect_eq(copy.size, build_size(&s.b));
	cr_expect_eq(check(&copy, s.node, s.nodes), 0);
	snapshot_fini(&copy);
	build_fini(&s.b);
}

Test(snapshot, a_sealed_file_is_copied_as_it_is)
{
	static struct sim s;
	struct snapshot copy;
	struct fault f;

	start(&s, 5, 1, 1);
	build_seal(&s.b, FORMAT_END_EXIT, 0);
	s.sealed = true;
	cr_assert_eq(snapshot_take(&copy, sim_read, &s, &f), 0);
	cr_expect_eq(copy.size, build_size(&s.b));
	cr_expect_eq(memcmp(copy.bytes, s.b.bytes, copy.size), 0);
	snapshot_fini(&copy);
	build_fini(&s.b);
}

struct plain {
	const void *bytes;
	size_t size;
	uint64_t bad;		/* reading from here on fails */
};

static long
plain_read(void *arg, void *to, size_t count, uint64_t offset)
{
	const struct plain *p = arg;

	if (offset >= p->bad)
		return -EIO;
	if (offset >= p->size)
		return 0;
	if (count > p->size - offset)
		count = p->size - offset;
	memcpy(to, (const char *)p->bytes + offset, count);
	return (long)count;
}

static void
refuses(struct plain p, const char *what, uint64_t offset, int errnum)
{
	struct snapshot copy;
	struct fault f;

	cr_expect_lt(snapshot_take(&copy, plain_read, &p, &f), 0);
	cr_expect_str_eq(f.what, what);
	cr_expect_eq(f.offset, offset);
	cr_expect_eq(f.errnum, errnum);
	cr_expect_null(copy.bytes);
}

Test(snapshot, files_that_are_none)
{
	struct build b;

	build_init(&b);
	refuses((struct plain){"", 0, UINT64_MAX}, "the file is empty",
	    FAULT_NO_OFFSET, 0);
	refuses((struct plain){b.bytes, 100, UINT64_MAX},
	    "cut short within its header", 100, 0);
	refuses((struct plain){"monptr 1\n", 9, UINT64_MAX},
	    "a pointer to a live profile, not a profile", FAULT_NO_OFFSET,
	    0);
	refuses((struct plain){b.bytes, build_size(&b), 0},
	    "cannot read the file", 0, EIO);
	refuses((struct plain){b.bytes, build_size(&b), 16},
	    "cannot read the file", FORMAT_HEADER, EIO);
	build_fini(&b);
}

/* 64 GiB of data promised, a page there: memory follows what is there. */
Test(snapshot, memory_is_bounded_by_the_file)
{
	struct snapshot copy;
	struct plain p;
	struct fault f;
	struct build b;

	build_init(&b);
	build_header(&b)->cap = (uint64_t)FORMAT_UNIT << 32;
	p = (struct plain){b.bytes, build_size(&b), UINT64_MAX};
	build_header(&b)->used = build_header(&b)->cap;
	cr_assert_eq(snapshot_take(&copy, plain_read, &p, &f), 0);
	cr_expect_eq(copy.size, p.size);
	cr_expect_leq(copy.room, 1u << 20);
	snapshot_fini(&copy);
	build_fini(&b);
}

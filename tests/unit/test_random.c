/* Context: O.  Random valid files decode to what was built. */
#include "decode/decode.h"

#include "build.h"
#include "opened.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define FILES	300
#define RECORDS	400	/* of a file, at most */

/* The model that was built, kept apart from the file. */
struct model {
	struct build b;
	uint64_t random;
	uint32_t module[RECORDS], thread[RECORDS], node[RECORDS];
	unsigned modules, threads, nodes;
	struct format_node want[RECORDS];
	unsigned met[RECORDS];
};

static void
grow_module(struct model *m)
{
	char path[64];
	uint32_t length = random_below(&m->random, sizeof path);
	uint64_t start = random_next(&m->random) >> 16;

	memset(path, 'a' + (int)random_below(&m->random, 26), sizeof path);
	path[length] = '\0';
	m->module[m->modules++] = build_module(&m->b, path, start,
	    start + random_below(&m->random, 1 << 20));
}

/* A parent is a root or any node so far. */
static uint32_t
pick_parent(struct model *m)
{
	uint32_t i = random_below(&m->random, m->threads + m->nodes);

	return i < m->threads ? build_root(&m->b, m->thread[i]) :
	    m->node[i - m->threads];
}

static void
grow_node(struct model *m)
{
	struct format_node *n = &m->want[m->nodes];
	uint32_t i = random_below(&m->random, m->modules + 1);

	if (m->threads == 0)
		return;
	n->parent = pick_parent(m);
	n->kind = FORMAT_USER + random_below(&m->random, 5);
	n->module = i == m->modules ? 0 : m->module[i];
	n->address = random_next(&m->random);
	n->count = random_next(&m->random);
	n->ns = random_next(&m->random);
	m->node[m->nodes++] = build_node(&m->b, n->parent,
	    (enum format_kind)n->kind, n->module, n->address, n->count, n->ns);
}

static void
make(struct model *m, uint64_t seed)
{
	unsigned records;

	memset(m, 0, sizeof *m);
	m->random = seed;
	build_init(&m->b);
	records = random_below(&m->random, RECORDS);
	for (unsigned i = 0; i < records; i++)
		switch (random_below(&m->random, 10)) {
		case 0:
			grow_module(m);
			break;
		case 1:
			m->thread[m->threads++] = build_thread(&m->b, (int)i,
			    "random");
			break;
		default:
			grow_node(m);
		}
	if (random_below(&m->random, 2) == 0)
		build_seal(&m->b, FORMAT_END_EXIT, 0);
}

static int
position(const uint32_t *indexes, unsigned count, uint32_t index)
{
	for (unsigned i = 0; i < count; i++)
		if (indexes[i] == index)
			return (int)i;
	return -1;
}

/* Links aside, a node is what was asked for, and its parent came before it. */
static int
meet(void *arg, uint32_t index, const struct format_node *n)
{
	struct model *m = arg;
	int i = position(m->node, m->nodes, index);
	int parent = position(m->node, m->nodes, n->parent);
	struct format_node got = *n;

	cr_assert_geq(i, 0);
	cr_assert(parent < 0 || m->met[parent] == 1);
	got.child = got.sibling = 0;
	cr_assert_eq(memcmp(&got, &m->want[i], sizeof got), 0);
	m->met[i]++;
	return 0;
}

static void
compare_lists(struct model *m, struct opened *o)
{
	struct format_module module;
	uint32_t at = 0;
	unsigned i = m->modules;

	while (decode_module(&o->d, &at, &module, &o->f) == 1) {
		cr_assert_gt(i--, 0);
		cr_assert_eq(at, m->module[i]);
		cr_assert_eq(memcmp(&module, build_at(&m->b, at),
		    sizeof module), 0);
	}
	cr_assert_eq(i, 0);
}

static void
compare(struct model *m, struct opened *o)
{
	struct format_thread t;
	uint32_t at = 0;
	unsigned threads = 0;

	compare_lists(m, o);
	while (decode_thread(&o->d, &at, &t, &o->f) == 1) {
		threads++;
		cr_assert_eq(at, m->thread[m->threads - threads]);
		cr_assert_eq(decode_tree(&o->d, t.root, meet, m, &o->f), 0,
		    "%s", o->f.what);
	}
	cr_assert_eq(threads, m->threads);
	for (unsigned i = 0; i < m->nodes; i++)
		cr_assert_eq(m->met[i], 1, "node %u met %u times", i,
		    m->met[i]);
	cr_assert_eq(o->d.cut, 0);
}

Test(random, files_decode_to_what_was_built)
{
	struct model *m = malloc(sizeof *m);
	struct opened o;

	cr_assert_not_null(m);
	for (uint64_t seed = 1; seed <= FILES; seed++) {
		make(m, seed);
		opened_whole(&o, &m->b);
		cr_assert_eq(o.error, 0, "seed %ju: %s", (uintmax_t)seed,
		    o.f.what);
		compare(m, &o);
		opened_fini(&o);
		build_fini(&m->b);
	}
	free(m);
}

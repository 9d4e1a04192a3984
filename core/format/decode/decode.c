/*
 * Context: P.  Opens a profile: checks its header and its lists, record by
 * record.  For the tools, by core/load and core/export/embed.c, as it calls
 * calloc(3); see decode.h.
 */
#include "decode/decode.h"

#include "decode/baseline.h"
#include "decode/decode_arcs.h"
#include "decode/decode_heap_points.h"
#include "decode/decode_index.h"
#include "decode/decode_names.h"
#include "decode/decode_text.h"
#include "decode/decode_tick_log.h"
#include "decode/header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct format_header, field)

/*
 * Checks the texts of the header.  This and the functions below return 0, or
 * -errno with *f set.
 */
static int
header_texts_check(struct decode *d, struct fault *f)
{
	const struct format_header *h = &d->header;
	const struct {
		uint64_t from;
		uint32_t index;
	} texts[] = {
		{AT(exe), h->exe}, {AT(cmdline), h->cmdline},
		{AT(host), h->host}, {AT(options), h->options},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int error = decode_text_check(d, texts[i].from, texts[i].index,
		    f);

		if (error != 0)
			return error;
	}
	return 0;
}

/* Checks a module that was visited, and marks it in d->listed. */
static int
module_check(struct decode *d, uint32_t index, struct fault *f)
{
	uint64_t at = decode_index_offset(index);
	struct format_module m;

	memcpy(&m, d->bytes + at, sizeof(m));
	if (m.end < m.start)
		return fault_set(f, "a module ends before it starts",
		    at + offsetof(struct format_module, end), 0);
	if (m.build_id_bytes > sizeof(m.build_id))
		return fault_set(f, "a build-id is longer than its field",
		    at + offsetof(struct format_module, build_id_bytes), 0);
	decode_index_mark(d->listed, index);
	return decode_text_check(d, at + offsetof(struct format_module, path),
	    m.path, f);
}

/*
 * Checks the root of a thread or of an allocation thread record, to which the
 * link at `from` leads.  A root alone may be all zero, as it has counted
 * nothing and every field of it can be 0; so it is peeked at, not visited.
 */
static int
root_check(struct decode *d, uint64_t from, struct fault *f)
{
	struct format_node n;
	uint32_t root;
	int got;

	memcpy(&root, d->bytes + from, sizeof(root));
	got = decode_index_peek(d, from, root, sizeof(n), f);
	if (got == DECODE_INDEX_TRUNCATED)
		d->cut++;
	if (got != 1)
		return got < 0 ? got : 0;
	memcpy(&n, d->bytes + decode_index_offset(root), sizeof(n));
	if (n.kind != FORMAT_ROOT)
		return fault_set(f, "the root of a thread or an allocation "
		    "thread record is another node",
		    from, 0);
	if (n.parent != 0)
		return fault_set(f, "the root of a thread or an allocation "
		    "thread record has a parent",
		    decode_index_offset(root), 0);
	return decode_index_claim(d, from, root, sizeof(n), f);
}

static int
thread_check(struct decode *d, uint32_t index, struct fault *f)
{
	return root_check(d, decode_index_offset(index) +
	    offsetof(struct format_thread, root), f);
}

static int
check_alloc_thread(struct decode *d, uint32_t index, struct fault *f)
{
	return root_check(d, decode_index_offset(index) +
	    offsetof(struct format_alloc_thread, root), f);
}

/* Every record that is in a list begins with its link. */
_Static_assert(offsetof(struct format_module, next) == 0, "link first");
_Static_assert(offsetof(struct format_thread, next) == 0, "link first");
_Static_assert(offsetof(struct format_arcs, next) == 0, "link first");
_Static_assert(offsetof(struct format_tick_log, next) == 0, "link first");
_Static_assert(offsetof(struct format_names, next) == 0, "link first");
_Static_assert(offsetof(struct format_alloc_thread, next) == 0, "link first");

/*
 * Visits the records of `bytes` bytes of a list, whose first link, `index`, is
 * at offset `from`, and has `check` check each.
 */
static int
list_check(struct decode *d, uint64_t from, uint32_t index, size_t bytes,
    int (*check)(struct decode *, uint32_t, struct fault *), struct fault *f)
{
	int got, error;

	while ((got = decode_index_visit(d, from, index, bytes, f)) == 1) {
		error = check(d, index, f);
		if (error != 0)
			return error;
		from = decode_index_offset(index);
		memcpy(&index, d->bytes + from, sizeof(index));
	}
	return got;
}

/* Checks the record of the heap at `index`, if there is one. */
static int
memory_check(struct decode *d, uint64_t from, uint32_t index, struct fault *f)
{
	int got = decode_index_visit(d, from, index,
	    sizeof(struct format_memory), f);
	struct format_memory m;

	if (got != 1)
		return got;
	memcpy(&m, d->bytes + decode_index_offset(index), sizeof(m));
	return decode_heap_points_check(d, decode_index_offset(index) +
	    offsetof(struct format_memory, growth), m.growth, f);
}

/*
 * Checks all that the header links to.  Modules come first: the others name
 * them.
 */
static int
lists_check(struct decode *d, struct fault *f)
{
	int error = header_texts_check(d, f);

	if (error == 0)
		error = list_check(d, AT(modules), d->header.modules,
		    sizeof(struct format_module), module_check, f);
	if (error == 0)
		error = list_check(d, AT(threads), d->header.threads,
		    sizeof(struct format_thread), thread_check, f);
	if (error == 0)
		error = list_check(d, AT(arcs), d->header.arcs,
		    sizeof(struct format_arcs), decode_arcs_check, f);
	if (error == 0)
		error = list_check(d, AT(moments), d->header.moments,
		    sizeof(struct format_tick_log), decode_tick_log_check, f);
	if (error == 0)
		error = list_check(d, AT(alloc_threads),
		    d->header.alloc_threads, sizeof(struct format_alloc_thread),
		    check_alloc_thread, f);
	if (error == 0)
		error = memory_check(d, AT(memory), d->header.memory, f);
	if (error == 0)
		error = memory_check(d, AT(maps), d->header.maps, f);
	if (error == 0)
		error = list_check(d, AT(names), d->header.names,
		    sizeof(struct format_names), decode_names_check, f);
	return error;
}

int
decode_open(struct decode *d, const void *bytes, size_t size, struct fault *f)
{
	size_t map;
	int error;

	*d = (struct decode){0};
	error = header_read(&d->header, bytes, size, f);
	if (error != 0)
		return error;
	d->bytes = bytes;
	d->size = size < d->header.used ? size : d->header.used;
	d->since_mono = baseline_mono(bytes, d->size);
	d->sealed = d->header.state == FORMAT_SEALED;
	map = d->size / FORMAT_UNIT / 8 + 1;
	d->seen = calloc(2, map);
	if (d->seen == NULL)
		return fault_set(f, "no memory to check the file",
		    FAULT_NO_OFFSET, ENOMEM);
	d->listed = d->seen + map;
	error = lists_check(d, f);
	if (error != 0)
		decode_close(d);
	return error;
}

void
decode_close(struct decode *d)
{
	free(d->seen);
	*d = (struct decode){0};
}

int
decode_module(const struct decode *d, uint32_t *index,
    struct format_module *out, struct fault *f)
{
	return decode_index_next(d, d->header.modules, index, out, sizeof(*out),
	    f);
}

int
decode_thread(const struct decode *d, uint32_t *index,
    struct format_thread *out, struct fault *f)
{
	return decode_index_next(d, d->header.threads, index, out, sizeof(*out),
	    f);
}

/* State of decode_counts_check(): the records that it has met. */
struct decode_counts {
	const struct decode *file;
	/* Bit maps: units where a thread or a node starts */
	unsigned char *threads, *nodes;
	struct fault *fault;
};

static int
arc_pass(void *arg, uint32_t index, const struct format_arc *a)
{
	(void)arg, (void)index, (void)a;
	return 0;
}

static int
node_passes(void *arg, uint32_t index, const struct format_node *n)
{
	(void)arg, (void)index, (void)n;
	return 0;
}

static int
check_counted_node(void *arg, uint32_t index, const struct format_node *n)
{
	struct decode_counts *c = arg;

	(void)n;
	decode_index_mark(c->nodes, index);
	return 0;
}

/* Checks that a logged tick names a thread and a node that were met. */
static int
check_logged_tick(void *arg, uint32_t thread,
    const struct format_logged_tick *m)
{
	const struct decode_counts *c = arg;
	const size_t units = c->file->size / FORMAT_UNIT;

	if (thread < units && decode_index_is_marked(c->threads, thread) &&
	    m->node < units && decode_index_is_marked(c->nodes, m->node))
		return 0;
	return fault_set(c->fault, "a logged tick names a thread or a node "
	    "that does not exist", FAULT_NO_OFFSET, 0);
}

/* Visits the trees of all allocation thread records. */
static int
alloc_threads_pass(struct decode *d, struct decode_counts *c)
{
	struct format_alloc_thread l;
	uint32_t at = 0;
	int got;

	while ((got = decode_alloc_thread(d, &at, &l, c->fault)) == 1) {
		got = decode_tree(d, l.root, node_passes, NULL, c->fault);
		if (got != 0)
			break;
	}
	return got;
}

/* Visits trees, arcs and, in a sealed file, logged ticks. */
static int
counts_check(struct decode *d, struct decode_counts *c)
{
	struct format_thread t;
	uint32_t at = 0;
	int got;

	while ((got = decode_thread(d, &at, &t, c->fault)) == 1) {
		decode_index_mark(c->threads, at);
		got = decode_tree(d, t.root, check_counted_node, c, c->fault);
		if (got != 0)
			return got;
	}
	if (got == 0)
		got = alloc_threads_pass(d, c);
	if (got == 0)
		got = decode_arcs(d, arc_pass, NULL, c->fault);
	if (got == 0 && d->sealed)
		got = decode_tick_log(d, check_logged_tick, c, c->fault);
	return got;
}

int
decode_counts_check(struct decode *d, struct fault *f)
{
	const size_t map = (size_t)(d->listed - d->seen);
	unsigned char *seen = calloc(3, map);
	struct decode_counts c = { .file = d, .fault = f };
	const uint64_t cut = d->cut;
	int got;

	if (seen == NULL)
		return fault_set(f, "no memory to check the file",
		    FAULT_NO_OFFSET, ENOMEM);
	memcpy(seen, d->seen, map);
	c.threads = seen + map;
	c.nodes = c.threads + map;
	got = counts_check(d, &c);
	memcpy(d->seen, seen, map);
	d->cut = cut;
	free(seen);
	return got;
}

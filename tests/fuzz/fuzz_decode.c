/* Context: O.  Fuzzes core/format: copy, decode, visit every record. */
#include "mutate.h"

#include "decode/baseline.h"
#include "decode/decode.h"
#include "decode/decode_heap_points.h"
#include "pointer.h"
#include "decode/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct source {
	const uint8_t *data;
	size_t size;
};

static long
read_source(void *arg, void *to, size_t count, uint64_t offset)
{
	const struct source *s = arg;

	if (offset >= s->size)
		return 0;
	if (count > s->size - offset)
		count = s->size - offset;
	memcpy(to, s->data + offset, count);
	return (long)count;
}

enum { NOTHING, THREAD, NODE };

struct visit {
	unsigned char *met;	/* a byte a unit */
	unsigned char *begins;	/* the same: what begins there */
	size_t units;
	uint64_t records;
	uint64_t scopes;
	const struct decode *file;
	uint64_t sum;		/* so that every byte is read */
};

static void
sum(struct visit *v, const void *bytes, size_t count)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < count; i++)
		v->sum += b[i];
}

/* The decoder's promise, kept apart from how it keeps it. */
static void
meet(struct visit *v, uint32_t index, size_t bytes)
{
	FUZZ_MUST(index >= FORMAT_HEADER / FORMAT_UNIT);
	FUZZ_MUST(index + bytes / FORMAT_UNIT <= v->units);
	for (size_t i = 0; i < bytes / FORMAT_UNIT; i++)
		FUZZ_MUST(v->met[index + i]++ == 0);
	v->records++;
}

static int
on_node(void *arg, uint32_t index, const struct format_node *n)
{
	struct visit *v = arg;
	struct format_heap h;

	FUZZ_MUST(n->parent < index && v->met[n->parent] != 0);
	meet(v, index, format_has_heap(n->kind) ? sizeof h : sizeof *n);
	v->begins[index] = NODE;
	sum(v, n, sizeof *n);
	if (format_has_heap(n->kind)) {
		decode_heap(v->file, index, &h);
		FUZZ_MUST(h.node.address == n->address);
		sum(v, &h, sizeof h);
	}
	return 0;
}

static void
on_text(struct visit *v, const struct decode *d, uint32_t index)
{
	uint32_t length;
	struct fault f;
	const char *text = decode_text(d, index, &length, &f);

	FUZZ_MUST(text != NULL);	/* checked by decode_open() */
	sum(v, text, length);
}

static int
on_arc(void *arg, uint32_t index, const struct format_arc *a)
{
	FUZZ_MUST(a->self != 0);
	sum(arg, a, sizeof *a);
	sum(arg, &index, sizeof index);
	return 0;
}

/* Over all places no more than fits: none has those of another. */
static int
on_place(void *arg, const struct decode_place *p)
{
	struct visit *v = arg;

	v->scopes += p->place.scopes;
	FUZZ_MUST(v->scopes <= v->units);
	for (uint32_t i = 0; i < p->place.scopes; i++) {
		const struct format_scope s = decode_scope(p, i);

		on_text(v, v->file, s.function);
		on_text(v, v->file, s.file);
	}
	on_text(v, v->file, p->place.name);
	return 0;
}

/* In a sealed file each is of a thread and a node that are there. */
static int
on_moment(void *arg, uint32_t thread, const struct format_logged_tick *m)
{
	struct visit *v = arg;

	FUZZ_MUST(m->mono != 0);
	sum(v, &thread, sizeof thread);
	sum(v, m, sizeof *m);
	if (v->file->sealed && (thread >= v->units || m->node >= v->units ||
	    v->begins[thread] != THREAD || v->begins[m->node] != NODE))
		return -EINVAL;
	return 0;
}

/* Walks the tree of a thread or an alloc_thread. */
static int
walk_tree(struct decode *d, uint32_t root, struct visit *v, struct fault *f)
{
	if (root != 0 && root <= v->units - 3)
		meet(v, root, sizeof(struct format_node));
	return decode_tree(d, root, on_node, v, f);
}

/* In a file that is not sealed a record may be taken, and still empty. */
static int
is_written(const struct decode *d, uint32_t index, size_t bytes)
{
	const uint64_t at = (uint64_t)index * FORMAT_UNIT;
	unsigned char any = 0;

	if (index == 0 || at + bytes > d->size)
		return 0;
	for (size_t i = 0; i < bytes; i++)
		any |= d->bytes[at + i];
	return d->sealed || any != 0;
}

/* In order, and those that are not 0 all. */
static int
walk_points(struct decode *d, struct visit *v, const struct format_memory *m,
    struct fault *f)
{
	struct format_heap_point p[FORMAT_HEAP_POINTS];
	size_t n;
	int got = decode_heap_points(d, p, &n, f);

	FUZZ_MUST(n <= FORMAT_HEAP_POINTS);
	for (size_t i = 1; i < n; i++)
		FUZZ_MUST(p[i - 1].mono <= p[i].mono);
	sum(v, p, n * sizeof(*p));
	if (is_written(d, m->growth, sizeof(struct format_heap_timeline)))
		meet(v, m->growth, sizeof(struct format_heap_timeline));
	return got;
}

static int
walk_maps(struct decode *d, struct visit *v, struct fault *f)
{
	struct format_memory m;
	int got = decode_memory_at(d, d->header.maps, &m, f);

	FUZZ_MUST(got == 0 || got == 1);	/* as above */
	if (got == 1)
		meet(v, d->header.maps, sizeof m);
	if (got == 1 && is_written(d, m.growth,
	    sizeof(struct format_heap_timeline)))
		meet(v, m.growth, sizeof(struct format_heap_timeline));
	return got;
}

static int
walk_heap(struct decode *d, struct visit *v, struct fault *f)
{
	struct format_memory m;
	struct format_alloc_thread l;
	uint32_t at = 0;
	int got = decode_memory(d, &m, f);

	FUZZ_MUST(got == 0 || got == 1);	/* checked by decode_open() */
	if (got == 1)
		meet(v, d->header.memory, sizeof m);
	if (got == 1)
		got = walk_points(d, v, &m, f);
	if (got >= 0)
		got = walk_maps(d, v, f);
	if (got < 0)
		return got;
	while ((got = decode_alloc_thread(d, &at, &l, f)) == 1) {
		meet(v, at, sizeof l);
		got = walk_tree(d, l.root, v, f);
		if (got != 0)
			return got;
	}
	return got;
}

static int
decode_everything(struct decode *d, struct visit *v, struct fault *f)
{
	struct format_module m;
	struct format_thread t;
	uint32_t at = 0;
	int got;

	v->file = d;
	on_text(v, d, d->header.exe);
	on_text(v, d, d->header.cmdline);
	on_text(v, d, d->header.host);
	on_text(v, d, d->header.options);
	while ((got = decode_module(d, &at, &m, f)) == 1) {
		meet(v, at, sizeof m);
		on_text(v, d, m.path);
		FUZZ_MUST(m.build_id_bytes <= sizeof m.build_id);
	}
	FUZZ_MUST(got == 0);
	at = 0;
	while ((got = decode_thread(d, &at, &t, f)) == 1) {
		meet(v, at, sizeof t);
		v->begins[at] = THREAD;
		got = walk_tree(d, t.root, v, f);
		if (got != 0)
			return got;
	}
	FUZZ_MUST(got == 0);
	got = walk_heap(d, v, f);
	if (got != 0)
		return got;
	FUZZ_MUST(decode_names(d, on_place, v, f) == 0);
	got = decode_tick_log(d, on_moment, v, f);
	return got != 0 ? got : decode_arcs(d, on_arc, v, f);
}

/* Records met, or -errno: with a fault that says something. */
static long
decode(const void *data, size_t size)
{
	struct visit v = {0};
	struct fault f = {0};
	struct decode d;
	int error = decode_open(&d, data, size, &f), whole;

	if (error == 0) {
		whole = decode_counts_check(&d, &f);
		v.units = d.size / FORMAT_UNIT;
		v.met = calloc(1, v.units + 1);
		v.begins = calloc(1, v.units + 1);
		FUZZ_MUST(v.met != NULL && v.begins != NULL);
		v.met[0] = 1;
		error = decode_everything(&d, &v, &f);
		FUZZ_MUST(error == whole);
		free(v.met);
		free(v.begins);
		decode_close(&d);
	}
	FUZZ_MUST(error <= 0);
	FUZZ_MUST(error == 0 || (f.what != NULL &&
	    (f.offset == FAULT_NO_OFFSET || f.offset <= size)));
	return error != 0 ? error : (long)v.records;
}

/*
 * Checks that the baseline of an `end` is either subtracted from counters of
 * this copy or refused.
 */
static void
decode_anew(void *copy, size_t size)
{
	struct fault f = {0};
	int error = baseline_subtract(copy, size, &f);

	FUZZ_MUST(error <= 0);
	FUZZ_MUST(error == 0 || (f.what != NULL && f.offset <= size));
	if (error == 0)
		decode(copy, size);
}

/* Through a copy it is the same, in memory bounded by the file. */
static long
copy_and_decode(const uint8_t *data, size_t size)
{
	struct source source = {data, size};
	struct snapshot copy;
	struct fault f;
	long records;

	if (snapshot_take(&copy, read_source, &source, &f) != 0)
		return -1;
	FUZZ_MUST(copy.room <= 2 * size + (512u << 10));
	FUZZ_MUST(copy.size <= size);
	records = decode(copy.bytes, copy.size);
	decode_anew(copy.bytes, copy.size);
	snapshot_fini(&copy);
	return records;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pointer p;
	struct fault f;
	long direct = decode(data, size);
	long copied = copy_and_decode(data, size);

	FUZZ_MUST(direct < 0 ? copied < 0 : direct == copied);
	if (pointer_parse(&p, (const char *)data, size, &f) == 0)
		FUZZ_MUST(p.path[0] == '/' && p.path_bytes < size &&
		    memchr(p.path, '\0', p.path_bytes) == NULL);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed)
{
	return mutate_profile(data, size, room, seed);
}

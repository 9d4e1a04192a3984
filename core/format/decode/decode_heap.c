/*
 * Context: P.  Reads the heap's records in a profile, for the model and
 * core/control, and sums them up for `prof --info`; see decode.h and
 * decode_heap.h.
 */
#include "decode/decode_heap.h"

#include "decode/decode_index.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

int
decode_alloc_thread(const struct decode *d, uint32_t *index,
    struct format_alloc_thread *out, struct fault *f)
{
	return decode_index_next(d, d->header.alloc_threads, index, out,
	    sizeof(*out), f);
}

int
decode_memory_at(const struct decode *d, uint32_t index,
    struct format_memory *out, struct fault *f)
{
	const bool maps = index == d->header.maps && index != d->header.memory;
	int got = decode_index_peek_record(d, maps ?
	    offsetof(struct format_header, maps) :
	    offsetof(struct format_header, memory), index, sizeof(*out), f);

	if (got == 1)
		memcpy(out, d->bytes + decode_index_offset(index),
		    sizeof(*out));
	return got == DECODE_INDEX_TRUNCATED ? 0 : got;
}

int
decode_memory(const struct decode *d, struct format_memory *out,
    struct fault *f)
{
	return decode_memory_at(d, d->header.memory, out, f);
}

void
decode_heap(const struct decode *d, uint32_t index, struct format_heap *out)
{
	memcpy(out, d->bytes + decode_index_offset(index), sizeof(*out));
}

/* Argument of add_heap_node(): where to add, and the eras of the peaks. */
struct heap_node_visit {
	const struct decode *file;
	struct decode_heap_total *blocks, *maps;
	uint64_t era, maps_era;
};

/* Adds a node of the heap to the sum of its kind.  A decode_visit. */
static int
add_heap_node(void *arg, uint32_t index, const struct format_node *n)
{
	const struct heap_node_visit *x = arg;
	const bool is_map = n->kind == FORMAT_MAP;
	struct decode_heap_total *t = is_map ? x->maps : x->blocks;
	struct format_heap h;

	if (!format_has_heap(n->kind))
		return 0;
	decode_heap(x->file, index, &h);
	t->paths++;
	t->total_bytes += h.node.ns;
	t->total_blocks += h.node.count;
	t->freed_bytes += h.freed_bytes + h.taken_bytes;
	t->freed_blocks += h.freed_blocks + h.taken_blocks;
	t->temporary_blocks += h.temporary_blocks;
	t->resized_blocks += h.resized_blocks;
	t->samples += h.samples;
	t->peak_bytes += decode_heap_peak(&h, is_map ? x->maps_era : x->era);
	return 0;
}

uint64_t
decode_heap_live(const struct format_heap *h)
{
	return h->node.ns - h->freed_bytes - h->taken_bytes;
}

uint64_t
decode_heap_peak(const struct format_heap *h, uint64_t era)
{
	return h->era == era ? h->peak_bytes : decode_heap_live(h);
}

int
decode_heap_totals(struct decode *d, struct decode_heap_total *blocks,
    struct decode_heap_total *maps, struct fault *f)
{
	struct format_memory m = { 0 }, mapped = { 0 };
	struct heap_node_visit x = { d, blocks, maps, 0, 0 };
	struct format_alloc_thread l;
	uint32_t at = 0;
	int got = decode_memory(d, &m, f);

	memset(blocks, 0, sizeof(*blocks));
	memset(maps, 0, sizeof(*maps));
	if (got == 1 && decode_memory_at(d, d->header.maps, &mapped, f) < 0)
		got = -EINVAL;
	if (got != 1)
		return got;
	x.era = m.era;
	x.maps_era = mapped.era;
	blocks->period = m.period;
	while ((got = decode_alloc_thread(d, &at, &l, f)) == 1) {
		blocks->alloc_threads++;
		blocks->unknown_frees += l.unknown_frees;
		blocks->missed_ends += l.missed_ends;
		got = decode_tree(d, l.root, add_heap_node, &x, f);
		if (got != 0)
			break;
	}
	return got < 0 ? got : 1;
}

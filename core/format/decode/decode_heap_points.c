/*
 * Context: P.  Checks the heap timeline in a profile, for decode_open(), and
 * reads it for the model; see decode_heap_points.h.
 */
#include "decode/decode_heap_points.h"

#include "decode/decode_heap.h"
#include "decode/decode_index.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define POINT	sizeof(struct format_heap_point)

/*
 * Returns the number of points in a block: as many as it says, but in a
 * truncated file no more than are there.
 */
static uint32_t
points_in_block(const struct decode *d, uint32_t index, uint32_t room)
{
	const uint64_t bytes = d->size - decode_index_offset(index) -
	    sizeof(struct format_heap_timeline);

	return room <= bytes / POINT ? room : (uint32_t)(bytes / POINT);
}

int
decode_heap_points_check(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f)
{
	int got = decode_index_visit(d, from, index,
	    sizeof(struct format_heap_timeline), f);
	struct format_heap_timeline g;
	uint32_t there;

	if (got != 1)
		return got;
	memcpy(&g, d->bytes + decode_index_offset(index), sizeof(g));
	there = points_in_block(d, index, g.room);
	if (g.room > FORMAT_HEAP_POINTS || (there < g.room && d->sealed))
		return fault_set(f, "there are too many points of the heap "
		    "timeline",
		    decode_index_offset(index) +
		    offsetof(struct format_heap_timeline, room), 0);
	d->cut += there < g.room;
	return decode_index_claim(d, from,
	    index + (uint32_t)(sizeof(g) / FORMAT_UNIT), there * POINT, f);
}

static int
compare_point_times(const void *left, const void *right)
{
	const struct format_heap_point *a = left, *b = right;

	return (a->mono > b->mono) - (a->mono < b->mono);
}

/*
 * Finds the timeline of the heap.  Returns 1 with *index and *g set, 0 if there
 * is none, DECODE_INDEX_TRUNCATED or -errno.
 */
static int
find_heap_timeline(const struct decode *d, uint32_t *index,
    struct format_heap_timeline *g, struct fault *f)
{
	struct format_memory m;
	int got = decode_memory(d, &m, f);

	if (got == 1)
		got = decode_index_peek_record(d,
		    decode_index_offset(d->header.memory) +
		    offsetof(struct format_memory, growth), m.growth,
		    sizeof(*g), f);
	if (got != 1)
		return got;
	*index = m.growth;
	memcpy(g, d->bytes + decode_index_offset(m.growth), sizeof(*g));
	return 1;
}

bool
decode_heap_points_are_maps(const struct decode *d)
{
	struct format_heap_timeline g;
	struct fault f = { 0 };
	uint32_t index;

	return find_heap_timeline(d, &index, &g, &f) == 1 &&
	    g.kind == FORMAT_MAP;
}

int
decode_heap_points(const struct decode *d, struct format_heap_point *to,
    size_t *count, struct fault *f)
{
	struct format_heap_timeline g;
	uint32_t index;
	int got = find_heap_timeline(d, &index, &g, f);

	*count = 0;
	if (got != 1)
		return got == DECODE_INDEX_TRUNCATED ? 0 : got;
	g.room = points_in_block(d, index, g.room);
	for (uint32_t i = 0; i < g.room && i < FORMAT_HEAP_POINTS; i++) {
		struct format_heap_point *p = &to[*count];

		memcpy(p, d->bytes + decode_index_offset(index) + sizeof(g) +
		    i * POINT, POINT);
		*count += p->mono != 0 && p->mono > d->since_mono;
	}
	if (*count > 1)
		qsort(to, *count, POINT, compare_point_times);
	return *count != 0;
}

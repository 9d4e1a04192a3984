/* Context: P.  How the heap grew, in a profile file. */
#include "points.h"

#include "heaps.h"
#include "link.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define POINT	sizeof(struct format_point)

/* As many as it says, or in a cut file as there are. */
static uint32_t
points_room(const struct decode *d, uint32_t index, uint32_t room)
{
	const uint64_t bytes = d->size - link_offset(index) -
	    sizeof(struct format_growth);

	return room <= bytes / POINT ? room : (uint32_t)(bytes / POINT);
}

int
points_check(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f)
{
	int got = link_meet(d, from, index, sizeof(struct format_growth), f);
	struct format_growth g;
	uint32_t there;

	if (got != 1)
		return got;
	memcpy(&g, d->bytes + link_offset(index), sizeof g);
	there = points_room(d, index, g.room);
	if (g.room > FORMAT_POINTS || (there < g.room && d->sealed))
		return fault_set(f, "points of the heap's growth are too many",
		    link_offset(index) + offsetof(struct format_growth, room),
		    0);
	d->cut += there < g.room;
	return link_claim(d, from, index + (uint32_t)(sizeof g / FORMAT_UNIT),
	    there * POINT, f);
}

static int
by_time(const void *left, const void *right)
{
	const struct format_point *a = left, *b = right;

	return (a->mono > b->mono) - (a->mono < b->mono);
}

/* Of which points are to be read.  1, LINK_CUT, 0 none, or -errno. */
static int
find_growth(const struct decode *d, uint32_t *index, struct format_growth *g,
    struct fault *f)
{
	struct format_memory m;
	int got = decode_memory(d, &m, f);

	if (got == 1)
		got = link_peek_record(d, link_offset(d->header.memory) +
		    offsetof(struct format_memory, growth), m.growth,
		    sizeof(*g), f);
	if (got != 1)
		return got;
	*index = m.growth;
	memcpy(g, d->bytes + link_offset(m.growth), sizeof(*g));
	return 1;
}

bool
decode_points_of_maps(const struct decode *d)
{
	struct format_growth g;
	struct fault f = { 0 };
	uint32_t index;

	return find_growth(d, &index, &g, &f) == 1 && g.kind == FORMAT_MAP;
}

int
decode_points(const struct decode *d, struct format_point *to,
    size_t *count, struct fault *f)
{
	struct format_growth g;
	uint32_t index;
	int got = find_growth(d, &index, &g, f);

	*count = 0;
	if (got != 1)
		return got == LINK_CUT ? 0 : got;
	g.room = points_room(d, index, g.room);
	for (uint32_t i = 0; i < g.room && i < FORMAT_POINTS; i++) {
		struct format_point *p = &to[*count];

		memcpy(p, d->bytes + link_offset(index) + sizeof g +
		    i * POINT, POINT);
		*count += p->mono != 0 && p->mono > d->since_mono;
	}
	if (*count > 1)
		qsort(to, *count, POINT, by_time);
	return *count != 0;
}

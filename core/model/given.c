/* Context: O. */
#include "given.h"

#include "grow.h"

#include <string.h>

static uint32_t
given_hash(uint32_t module, uint32_t process, uint64_t address)
{
	return finder_hash(address ^ ((uint64_t)module << 40 ^
	    (uint64_t)process << 24));
}

/* NULL: none. */
static const struct given_place *
given_find(const struct given *g, uint32_t module, uint32_t process,
    uint64_t address)
{
	const uint32_t hash = given_hash(module, process, address);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&g->by_key, hash, &at)) !=
	    FINDER_NONE;) {
		const struct given_place *p = &g->places[n];

		if (p->module == module && p->process == process &&
		    p->address == address)
			return p;
	}
	return NULL;
}

static int
add_frames(struct lines_frame **to, size_t *have, size_t *room,
    const struct lines_frame *frames, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (grow(to, *have, room, sizeof(**to)) != 0)
			return -ENOMEM;
		(*to)[(*have)++] = frames[i];
	}
	return *have < UINT32_MAX ? 0 : -ENOMEM;
}

int
given_add(struct given *g, const struct given_place *place,
    const struct lines_frame *frames)
{
	struct given_place own = *place;

	if (given_find(g, own.module, own.process, own.address) != NULL)
		return 0;
	own.first = (uint32_t)g->frame_count;
	if (g->count >= FINDER_NONE - 1 || grow(&g->places, g->count, &g->room,
	    sizeof(own)) != 0 || add_frames(&g->frames, &g->frame_count,
	    &g->frame_room, frames, own.count) != 0 ||
	    finder_add(&g->by_key, given_hash(own.module, own.process,
	    own.address), (uint32_t)g->count) != 0)
		return -ENOMEM;
	g->places[g->count++] = own;
	return 0;
}

static int
fill_lines(const struct given *g, const struct given_place *p,
    struct lines *l, size_t i, size_t count)
{
	if (l->places == NULL) {
		l->places = calloc(count, sizeof(*l->places));
		if (l->places == NULL)
			return -ENOMEM;
		l->count = count;
	}
	if (l->places[i].count != 0)
		return 0;
	l->places[i].first = (uint32_t)l->frame_count;
	l->places[i].count = p->count;
	return add_frames(&l->frames, &l->frame_count, &l->frame_room,
	    &g->frames[p->first], p->count);
}

int
given_fill(const struct given *g, uint32_t module, uint32_t process,
    struct symbol *asked, size_t count, struct lines *l, bool *all)
{
	*all = true;
	for (size_t i = 0; i < count; i++) {
		const struct given_place *p = given_find(g, module, process,
		    asked[i].address);

		if (p != NULL && asked[i].name == NULL && p->name != NULL) {
			asked[i].name = p->name;
			asked[i].start = p->start;
			asked[i].bounded = true;
		}
		*all &= asked[i].name != NULL;
		if (p != NULL && p->count != 0 && l != NULL &&
		    fill_lines(g, p, l, i, count) != 0)
			return -ENOMEM;
	}
	return 0;
}

void
given_free(struct given *g)
{
	finder_free(&g->by_key);
	free(g->places);
	free(g->frames);
	memset(g, 0, sizeof(*g));
}

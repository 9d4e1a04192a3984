/*
 * Context: O.  Names and lines of places that input files bring themselves, a
 * table by module, process and address.  Readers add, symbolize_all() looks up;
 * see embedded_names.h.
 */
#include "base/embedded_names.h"

#include "base/vector.h"

#include <string.h>

static uint32_t
hash_named_place(uint32_t module, uint32_t process, uint64_t address)
{
	return hash_index_hash(address ^ ((uint64_t)module << 40 ^
	    (uint64_t)process << 24));
}

/* Returns the place with that key, or NULL. */
static const struct embedded_names_place *
find_named_place(const struct embedded_names *g, uint32_t module,
    uint32_t process, uint64_t address)
{
	const uint32_t hash = hash_named_place(module, process, address);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&g->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;) {
		const struct embedded_names_place *p = &g->places[n];

		if (p->module == module && p->process == process &&
		    p->address == address)
			return p;
	}
	return NULL;
}

/* Appends frames to an array.  Returns 0 or -ENOMEM. */
static int
append_line_frames(struct lines_frame **to, size_t *have, size_t *room,
    const struct lines_frame *frames, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (vector_grow(to, *have, room, sizeof(**to)) != 0)
			return -ENOMEM;
		(*to)[(*have)++] = frames[i];
	}
	return *have < UINT32_MAX ? 0 : -ENOMEM;
}

int
embedded_names_add(struct embedded_names *g,
    const struct embedded_names_place *place, const struct lines_frame *frames)
{
	struct embedded_names_place own = *place;

	if (find_named_place(g, own.module, own.process, own.address) != NULL)
		return 0;
	own.first = (uint32_t)g->frame_count;
	if (g->count >= HASH_INDEX_NONE - 1 || vector_grow(&g->places, g->count,
	    &g->room, sizeof(own)) != 0 || append_line_frames(&g->frames,
	    &g->frame_count, &g->frame_room, frames, own.count) != 0 ||
	    hash_index_add(&g->by_key, hash_named_place(own.module, own.process,
	    own.address), (uint32_t)g->count) != 0)
		return -ENOMEM;
	g->places[g->count++] = own;
	return 0;
}

/*
 * Gives symbol i of `count` the frames of a place, unless it has some.  Returns
 * 0 or -ENOMEM.
 */
static int
fill_embedded_lines(const struct embedded_names *g,
    const struct embedded_names_place *p, struct lines *l, size_t i,
    size_t count)
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
	return append_line_frames(&l->frames, &l->frame_count, &l->frame_room,
	    &g->frames[p->first], p->count);
}

int
embedded_names_fill(const struct embedded_names *g, uint32_t module,
    uint32_t process, struct symbol *asked, size_t count, struct lines *l,
    bool *all)
{
	*all = true;
	for (size_t i = 0; i < count; i++) {
		const struct embedded_names_place *p = find_named_place(g,
		    module, process, asked[i].address);

		if (p != NULL && asked[i].name == NULL && p->name != NULL) {
			asked[i].name = p->name;
			asked[i].start = p->start;
			asked[i].start_known = true;
		}
		*all &= asked[i].name != NULL;
		if (p != NULL && p->count != 0 && l != NULL &&
		    fill_embedded_lines(g, p, l, i, count) != 0)
			return -ENOMEM;
	}
	return 0;
}

void
embedded_names_free(struct embedded_names *g)
{
	hash_index_free(&g->by_key);
	free(g->places);
	free(g->frames);
	memset(g, 0, sizeof(*g));
}

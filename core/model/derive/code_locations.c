/*
 * Context: O.  Numbers the code addresses of all rows and frames, each distinct
 * one once, for sample_paths.c; see code_locations.h.
 */
#include "derive/code_locations.h"

#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
hash_location(const struct code_location *p)
{
	return hash_index_hash(p->address ^ ((uint64_t)p->module << 40 ^
	    (uint64_t)p->process << 20 ^ (uint64_t)p->function << 8));
}

/*
 * Returns whether the locations are the same.  Rows that are no code have no
 * address; their functions tell them apart.
 */
static bool
same_location(const struct code_location *a, const struct code_location *b)
{
	return a->module == b->module && a->address == b->address &&
	    a->process == b->process && a->function == b->function;
}

/*
 * Sets *number to the number of a location, which is added if it is missing.
 * Returns 0 or -ENOMEM.
 */
static int
add_code_location(struct code_locations *s, const struct code_location *p,
    uint32_t *number)
{
	const uint32_t h = hash_location(p);

	for (size_t at = h; (*number = hash_index_next(&s->by_place, h, &at)) !=
	    HASH_INDEX_NONE;)
		if (same_location(&s->all[*number], p))
			return 0;
	*number = (uint32_t)s->count;
	if (s->count >= UINT32_MAX - 1 ||
	    vector_grow(&s->all, s->count, &s->room, sizeof(*s->all)) != 0 ||
	    hash_index_add(&s->by_place, h, *number) != 0)
		return -ENOMEM;
	s->all[s->count++] = *p;
	return 0;
}

static uint32_t
location_process(uint32_t module, uint32_t process)
{
	return model_is_absolute(module) ? process : MODEL_NONE;
}

static struct code_location
row_location(const struct model_row *r)
{
	return (struct code_location) {
		.module = r->module, .process = location_process(r->module,
		    r->process),
		.address = r->address == 0 ? 0 : model_lookup_address(r),
		.function = r->function, .scope = r->scope, .scopes = r->scopes,
	};
}

static struct code_location
frame_location(const struct stack_frame *f)
{
	const struct model_row r = {
		.module = f->module, .kind = f->kind, .address = f->address,
		.process = f->process, .function = f->function,
		.scope = f->scope, .scopes = f->scopes,
	};

	return row_location(&r);
}

int
code_locations_make(struct code_locations *s, const struct model *m)
{
	int ret = 0;

	memset(s, 0, sizeof(*s));
	s->of_row = calloc(m->row_count + 1, sizeof(*s->of_row));
	s->of_frame = calloc(m->stacks.count + 1, sizeof(*s->of_frame));
	if (s->of_row == NULL || s->of_frame == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct code_location own = row_location(&m->rows[i]);

		ret = add_code_location(s, &own, &s->of_row[i]);
	}
	for (size_t i = 1; i < m->stacks.count && ret == 0; i++) {
		const struct code_location own =
		    frame_location(&m->stacks.frames[i]);

		ret = add_code_location(s, &own, &s->of_frame[i]);
	}
	return ret;
}

void
code_locations_free(struct code_locations *s)
{
	free(s->all);
	free(s->of_row);
	free(s->of_frame);
	hash_index_free(&s->by_place);
	memset(s, 0, sizeof(*s));
}

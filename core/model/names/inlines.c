/*
 * Context: O.  Adds the functions that are inlined at places of a module to the
 * model, each once, for symbol_batch.c; see inlines.h.
 */
#include "names/inlines.h"

#include "base/vector.h"
#include "symbol/cxx_structor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the function with that name, whose hash is `hash`; MODEL_NONE if
 * there is none.
 */
static uint32_t
find_inlined_name(const struct inlines *in, const char *name, uint32_t hash)
{
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&in->by_name, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (strcmp(in->model->functions[n].name, name) == 0)
			return n;
	return MODEL_NONE;
}

int
inlines_begin(struct inlines *in, struct model *m, uint32_t module,
    size_t first)
{
	int ret = 0;

	memset(in, 0, sizeof(*in));
	in->model = m;
	in->module = module;
	for (uint32_t i = (uint32_t)first; i < m->function_count && ret == 0;
	    i++) {
		const struct model_function *f = &m->functions[i];
		uint32_t hash;

		if (!f->named)
			continue;
		hash = hash_index_hash_text(f->name);
		if (find_inlined_name(in, f->name, hash) == MODEL_NONE)
			ret = hash_index_add(&in->by_name, hash, i);
	}
	return ret;
}

/*
 * Returns the function that is the same constructor or destructor as an inlined
 * one of that name, so that both have one line; MODEL_NONE if there is none, or
 * without memory.
 */
static uint32_t
find_same_structor(const struct inlines *in, const char *name)
{
	const size_t at = cxx_structor_inlined(name);
	char *variant = at != 0 ? strdup(name) : NULL;
	uint32_t n = MODEL_NONE;

	for (char digit = '1'; variant != NULL && digit <= '2' &&
	    n == MODEL_NONE; digit++) {
		variant[at] = digit;
		n = find_inlined_name(in, variant,
		    hash_index_hash_text(variant));
	}
	free(variant);
	return n;
}

/*
 * Returns the function of that name, which is added if it is missing;
 * MODEL_NONE if memory is out.
 */
static uint32_t
find_or_add_inlined(struct inlines *in, const char *name)
{
	struct model *m = in->model;
	uint32_t hash = hash_index_hash_text(name), n = find_inlined_name(in,
	    name, hash);

	if (n == MODEL_NONE)
		n = find_same_structor(in, name);
	if (n != MODEL_NONE)
		return n;
	if (vector_grow(&m->functions, m->function_count, &m->function_room,
	    sizeof(*m->functions)) != 0 || hash_index_add(&in->by_name, hash,
	    (uint32_t)m->function_count) != 0)
		return MODEL_NONE;
	m->functions[m->function_count] = (struct model_function) {
		.module = in->module, .name = name, .named = true,
	};
	return (uint32_t)m->function_count++;
}

int
inlines_add(struct inlines *in, const struct lines *l, size_t i,
    uint32_t function, struct model_row *row)
{
	const struct lines_place *p = &l->places[i];
	struct model *m = in->model;

	row->scope = (uint32_t)m->scope_count;
	row->scopes = p->count;
	for (uint32_t k = 0; k < p->count; k++) {
		const struct lines_frame *f = &l->frames[p->first + k];
		uint32_t own = f->function == NULL ? function :
		    find_or_add_inlined(in, f->function);
		uint32_t file = f->file == NULL ? MODEL_NONE :
		    string_pool_add(&m->sources.paths, f->file);

		if (own == MODEL_NONE || (file == MODEL_NONE &&
		    f->file != NULL) || m->scope_count >= UINT32_MAX ||
		    vector_grow(&m->scopes, m->scope_count, &m->scope_room,
		    sizeof(*m->scopes)) != 0)
			return -ENOMEM;
		m->scopes[m->scope_count++] = (struct model_scope) {
			.file = file, .line = f->line, .function = own,
		};
	}
	return 0;
}

void
inlines_end(struct inlines *in)
{
	hash_index_free(&in->by_name);
	memset(in, 0, sizeof(*in));
}

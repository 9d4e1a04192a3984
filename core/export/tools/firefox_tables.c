/*
 * Context: O.  Fills the tables of one thread of a Firefox profile, for
 * export_firefox.c; see firefox_tables.h.
 */
#include "tools/firefox_tables.h"

#include "base/vector.h"

#include <stdlib.h>

uint32_t
firefox_tables_string(struct firefox_tables *t, const char *text)
{
	uint32_t n = text == NULL ? UINT32_MAX :
	    string_pool_add(&t->strings, text);

	t->failed |= n == UINT32_MAX;
	return n;
}

/*
 * Returns the resource of a module, or UINT32_MAX for what is no code and so
 * belongs to no library.
 */
static uint32_t
resource_of(struct firefox_tables *t, uint32_t module)
{
	uint32_t n;

	if (module < MODEL_MODULES)
		return UINT32_MAX;
	n = key_table_add(&t->resources, module, 0, 0);
	t->failed |= n == UINT32_MAX;
	return n;
}

/*
 * Returns the function's entry, which is made if it is missing; 0 with
 * t->failed set if memory is out.  frame_of() and stack_of() work alike.
 */
static uint32_t
function_of(struct firefox_tables *t, const struct sample_paths_frame *f)
{
	const size_t before = t->function_keys.count;
	const uint32_t n = key_table_add(&t->function_keys, f->function,
	    f->file, 0);

	if (n < before)
		return n;
	if (n == UINT32_MAX || vector_grow(&t->functions, n, &t->function_room,
	    sizeof(*t->functions)) != 0) {
		t->failed = true;
		return 0;
	}
	t->functions[n] = (struct firefox_function) {
		f->function, f->file, resource_of(t,
		    t->in->sites.all[f->site].module),
	};
	return n;
}

static uint32_t
frame_of(struct firefox_tables *t, const struct sample_paths_frame *f,
    uint32_t depth)
{
	const uint32_t hash = hash_index_hash((uint64_t)f->site << 32 | depth);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&t->by_frame, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (t->frames[n].site == f->site && t->frames[n].depth == depth)
			return n;
	n = (uint32_t)t->frame_count;
	if (vector_grow(&t->frames, n, &t->frame_room,
	    sizeof(*t->frames)) != 0 || hash_index_add(&t->by_frame, hash,
	    n) != 0) {
		t->failed = true;
		return 0;
	}
	t->frames[t->frame_count++] = (struct firefox_frame) {
		f->site, depth, function_of(t, f), f->line,
	};
	return n;
}

static uint32_t
stack_of(struct firefox_tables *t, uint32_t prefix, uint32_t frame)
{
	const uint32_t hash = hash_index_hash((uint64_t)prefix << 32 | frame);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&t->by_stack, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (t->stacks[n].prefix == prefix &&
		    t->stacks[n].frame == frame)
			return n;
	n = (uint32_t)t->stack_count;
	if (vector_grow(&t->stacks, n, &t->stack_room,
	    sizeof(*t->stacks)) != 0 || hash_index_add(&t->by_stack, hash,
	    n) != 0) {
		t->failed = true;
		return 0;
	}
	t->stacks[t->stack_count++] = (struct firefox_stack) { prefix, frame };
	return n;
}

void
firefox_tables_add_sample(struct firefox_tables *t, uint32_t row)
{
	uint32_t prefix = 0, depth = 0;

	sample_paths_get(t->in, row);
	t->failed |= sample_paths_get_frames(t->in) != 0;
	/* From the outermost frame on, inlining gets deeper within one site. */
	for (size_t i = t->in->frame_count; i-- > 0 && !t->failed;) {
		const struct sample_paths_frame *f = &t->in->frames[i];

		depth = f->inlined ? depth + 1 : 0;
		prefix = stack_of(t, prefix, frame_of(t, f, depth)) + 1;
	}
	if (t->failed || vector_grow(&t->ends, t->sample_count, &t->sample_room,
	    sizeof(*t->ends)) != 0) {
		t->failed = true;
		return;
	}
	t->ends[t->sample_count++] = prefix - 1;
}

void
firefox_tables_clear(struct firefox_tables *t)
{
	string_pool_free(&t->strings);
	key_table_free(&t->function_keys);
	key_table_free(&t->resources);
	hash_index_free(&t->by_frame);
	hash_index_free(&t->by_stack);
	t->frame_count = t->stack_count = t->sample_count = 0;
}

void
firefox_tables_free(struct firefox_tables *t)
{
	firefox_tables_clear(t);
	free(t->functions);
	free(t->frames);
	free(t->stacks);
	free(t->ends);
}

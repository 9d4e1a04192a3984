/*
 * Context: O.  Gives a batch of rows their functions, for symbolize_all(); see
 * symbol_batch.h.
 */
#include "names/symbol_batch.h"

#include "base/compare.h"
#include "base/vector.h"
#include "names/inlines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
compare_batch_symbols(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	return compare_u64(a->address, b->address);
}

int
symbol_batch_collect(struct symbol_batch *b)
{
	size_t kept = 0;

	b->asked = calloc(b->count, sizeof(*b->asked));
	if (b->asked == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < b->count; i++)
		b->asked[i].start = b->asked[i].address =
		    model_lookup_address(&b->rows[i]);
	qsort(b->asked, b->count, sizeof(*b->asked), compare_batch_symbols);
	for (size_t i = 1; i < b->count; i++)
		if (b->asked[i].address != b->asked[kept].address)
			b->asked[++kept] = b->asked[i];
	b->asked_count = kept + 1;
	return 0;
}

int
symbol_batch_add_function(struct model *m, uint32_t module, uint64_t start,
    const char *name, bool named)
{
	if (name == NULL || vector_grow(&m->functions, m->function_count,
	    &m->function_room, sizeof(*m->functions)) != 0)
		return -ENOMEM;
	m->functions[m->function_count++] = (struct model_function) {
		.module = module,
		.start = start,
		.name = name,
		.named = named,
	};
	return 0;
}

/*
 * Returns whether the symbol belongs to the one function that stands for
 * everything without a name in a module that is no file.
 */
static bool
is_one_function(uint32_t module, const struct symbol *s)
{
	return s->name == NULL && (model_is_absolute(module) ||
	    model_is_unresolvable(module));
}

/*
 * Returns the module of code that a compiler names: generated code, even if it
 * was too new to be in the memory map.
 */
static uint32_t
generated_module(const char *name)
{
	/* CPython's -X perf makes code with names such as py::f:/a/file.py. */
	return strncmp(name, "py::", 4) == 0 ? MODEL_MODULE_PYTHON :
	    MODEL_MODULE_GENERATED;
}

/* Appends the function of a symbol.  Returns 0 or -ENOMEM. */
static int
make_function(struct model *m, uint32_t module, const struct symbol *s)
{
	if (is_one_function(module, s))
		return symbol_batch_add_function(m, module, 0,
		    m->modules[module].name, false);
	if (s->name == NULL)
		return symbol_batch_add_function(m, module, s->start,
		    arena_offset(&m->arena, m->modules[module].name,
		    s->start), false);
	if (model_is_absolute(module))
		module = generated_module(s->name);
	return symbol_batch_add_function(m, module, s->start, s->name, true);
}

/*
 * Sets the scopes of rows from b->lines; rows of one place share theirs.
 * `first` is the first function of the batch.  Returns 0 or -ENOMEM.
 */
static int
add_batch_scopes(struct model *m, struct symbol_batch *b, uint32_t module,
    size_t first)
{
	struct model_row *had = calloc(b->asked_count, sizeof(*had));
	struct inlines in;
	int ret = inlines_begin(&in, m, module, first);

	if (had == NULL)
		ret = -ENOMEM;
	for (size_t i = 0; i < b->count && ret == 0; i++) {
		struct model_row *r = &b->rows[i];
		size_t at = symbol_lookup_lower_bound(b->asked, b->asked_count,
		    model_lookup_address(r));

		if (had[at].scopes == 0)
			ret = inlines_add(&in, &b->lines, at, r->function,
			    &had[at]);
		r->scope = had[at].scope;
		r->scopes = had[at].scopes;
	}
	inlines_end(&in);
	free(had);
	return ret;
}

/*
 * Returns the function among those in by_start that starts at `start`, or
 * HASH_INDEX_NONE.
 */
static uint32_t
find_function_at(const struct model *m, const struct hash_index *by_start,
    uint64_t start)
{
	const uint32_t hash = hash_index_hash(start);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(by_start, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (m->functions[n].start == start)
			return n;
	return HASH_INDEX_NONE;
}

/*
 * Makes the functions of the asked symbols, and sets function[i] to that of
 * symbol i.  Symbols ascend, and the starts of their functions mostly do, but
 * not always: a function can lie inside another, and a file can name the parts
 * of a function anywhere.  Returns 0 or -ENOMEM.
 */
static int
make_functions(struct model *m, struct symbol_batch *b, uint32_t module,
    uint32_t *function)
{
	const size_t first = m->function_count;
	struct hash_index by_start = { 0 };
	int ret = 0;

	for (size_t i = 0; i < b->asked_count && ret == 0; i++) {
		const struct symbol *s = &b->asked[i];
		const uint64_t start = is_one_function(module, s) ? 0 :
		    s->start;

		if (m->function_count > first &&
		    m->functions[m->function_count - 1].start == start) {
			function[i] = (uint32_t)m->function_count - 1;
			continue;
		}
		function[i] = find_function_at(m, &by_start, start);
		if (function[i] != HASH_INDEX_NONE)
			continue;
		function[i] = (uint32_t)m->function_count;
		ret = make_function(m, module, s);
		if (ret == 0)
			ret = hash_index_add(&by_start, hash_index_hash(start),
			    function[i]);
	}
	hash_index_free(&by_start);
	return ret;
}

int
symbol_batch_assign(struct model *m, struct symbol_batch *b, uint32_t module)
{
	const size_t first = m->function_count;
	uint32_t *function = calloc(b->asked_count, sizeof(*function));
	int ret = function == NULL ? -ENOMEM :
	    make_functions(m, b, module, function);

	for (size_t i = 0; i < b->count && ret == 0; i++) {
		struct model_row *r = &b->rows[i];

		r->function = function[symbol_lookup_lower_bound(b->asked,
		    b->asked_count, model_lookup_address(r))];
		r->module = m->functions[r->function].module;
	}
	if (ret == 0 && b->lines.frame_count != 0)
		ret = add_batch_scopes(m, b, module, first);
	free(function);
	return ret;
}

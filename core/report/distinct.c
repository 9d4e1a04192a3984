/* Context: O.  Different functions are shown by different names. */
#include "distinct.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
distinct_compare(const void *left, const void *right)
{
	const struct model_function *a = *(struct model_function *const *)left;
	const struct model_function *b = *(struct model_function *const *)right;

	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return strcmp(a->shown, b->shown);
}

static bool
distinct_same(const struct model_function *a, const struct model_function *b)
{
	return a->module == b->module && strcmp(a->shown, b->shown) == 0 &&
	    strcmp(a->name, b->name) != 0;
}

/* `shown` of a neighbour that is still to be compared must not change yet. */
static int
distinct_spell_out(struct model *m, struct model_function **f, size_t count)
{
	bool before = false;

	for (size_t i = 0; i < count; i++) {
		bool after = i + 1 < count && distinct_same(f[i], f[i + 1]);

		if (before || after)
			f[i]->shown = demangle_name(&m->arena, f[i]->name,
			    DEMANGLE_FULL);
		if (f[i]->shown == NULL)
			return -ENOMEM;
		before = after;
	}
	return 0;
}

int
distinct_names(struct model *m, const struct group *g)
{
	struct model_function **f;
	size_t count = 0;
	int ret = 0;

	if (m->demangle != DEMANGLE_SHORT)
		return 0;
	f = calloc(g->count + 1, sizeof(*f));
	if (f == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < g->count && ret == 0; i++) {
		uint32_t function = g->lines[i].function;

		if (function == MODEL_NONE || !m->functions[function].named)
			continue;
		if (model_function_shown(m, function) == NULL)
			ret = -ENOMEM;
		f[count++] = &m->functions[function];
	}
	if (ret == 0 && count > 1) {
		qsort(f, count, sizeof(*f), distinct_compare);
		ret = distinct_spell_out(m, f, count);
	}
	free(f);
	return ret;
}

/*
 * Context: O.  Makes sure that different functions and modules are shown under
 * different names, for cmd/prof/report.c and the page; see disambiguate.h.
 */
#include "table/disambiguate.h"

#include "base/compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
compare_shown_names(const void *left, const void *right)
{
	const struct model_function *a = *(struct model_function *const *)left;
	const struct model_function *b = *(struct model_function *const *)right;

	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return strcmp(a->shown, b->shown);
}

/*
 * Returns how many functions from f[0] on are of its module and shown alike.
 * Sets *differ if not all of them have one name.
 */
static size_t
count_shown_alike(struct model_function *const *f, size_t count, bool *differ)
{
	size_t n = 1;

	*differ = false;
	for (; n < count && compare_shown_names(&f[0], &f[n]) == 0; n++)
		*differ |= strcmp(f[0]->name, f[n]->name) != 0;
	return n;
}

/*
 * Shows the parameters of functions whose shown names are equal.  A function
 * may be there several times, so those that are shown alike are counted before
 * any of them is changed.
 */
static int
show_parameters(struct model *m, struct model_function **f, size_t count)
{
	size_t alike;
	bool differ;

	for (size_t i = 0; i < count; i += alike) {
		alike = count_shown_alike(f + i, count - i, &differ);
		for (size_t k = i; k < i + alike && differ; k++) {
			f[k]->shown = demangle_name(&m->arena, f[k]->name,
			    DEMANGLE_PARAMETERS);
			if (f[k]->shown == NULL)
				return -ENOMEM;
		}
	}
	return 0;
}

static int
compare_module_names(const void *left, const void *right)
{
	const struct model_module *a = *(struct model_module *const *)left;
	const struct model_module *b = *(struct model_module *const *)right;
	int d = strcmp(a->name, b->name);

	if (d == 0)
		d = strcmp(a->path, b->path);
	return d != 0 ? d : compare_u64(a->seen, b->seen);
}

/*
 * Shows modules of one name by path and age: "a/lib.so", "b/lib.so#1",
 * "b/lib.so#2".
 */
static int
show_module_paths(struct model *m, struct model_module **own, size_t count)
{
	bool paths = strcmp(own[0]->path, own[count - 1]->path) != 0;
	size_t number = 0;

	for (size_t i = 0; i < count; i++) {
		const char *base = paths ? own[i]->path : own[i]->name;
		bool first = i == 0 ||
		    strcmp(own[i]->path, own[i - 1]->path) != 0;
		bool last = i + 1 == count ||
		    strcmp(own[i]->path, own[i + 1]->path) != 0;
		char tail[24] = "";

		number = first ? 1 : number + 1;
		if (!first || !last)
			snprintf(tail, sizeof(tail), "#%zu", number);
		own[i]->shown = arena_join(&m->arena, base, strlen(base),
		    tail);
		if (own[i]->shown == NULL)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Returns whether the line is kernel time in no function, which can be of any
 * kernel.
 */
static bool
is_any_kernel(const struct model *m, const struct group_line *l)
{
	return l->module == MODEL_MODULE_KERNEL &&
	    (l->function == MODEL_NONE || !m->functions[l->function].named);
}

/* Gives modules of one file name different names. */
static int
show_unique_modules(struct model *m, const struct group *g)
{
	struct model_module **own = calloc(m->module_count, sizeof(*own));
	bool *met = calloc(m->module_count, sizeof(*met));
	size_t count = 0, end;
	int ret = own == NULL || met == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < g->count && ret == 0; i++) {
		uint32_t module = g->lines[i].module;

		if (module == MODEL_NONE || met[module] ||
		    is_any_kernel(m, &g->lines[i]))
			continue;
		met[module] = true;
		own[count++] = &m->modules[module];
	}
	if (count > 1)
		qsort(own, count, sizeof(*own), compare_module_names);
	for (size_t i = 0; i < count && ret == 0; i = end) {
		for (end = i + 1; end < count &&
		    strcmp(own[i]->name, own[end]->name) == 0; end++)
			;
		if (end - i > 1)
			ret = show_module_paths(m, own + i, end - i);
	}
	free(own);
	free(met);
	return ret;
}

/*
 * Lists the functions of a table or, where inlined functions are known and so
 * may be shown, all functions.  Returns their number.
 */
static size_t
list_shown_functions(struct model *m, const struct group *g,
    struct model_function **f)
{
	const bool all = (m->keep & MODEL_KEEP_LINES) != 0;
	const size_t end = all ? m->function_count : g->count;
	size_t count = 0;

	for (size_t i = 0; i < end; i++) {
		const uint32_t function = all ? (uint32_t)i :
		    g->lines[i].function;

		if (function != MODEL_NONE && m->functions[function].named)
			f[count++] = &m->functions[function];
	}
	return count;
}

/* Gives functions that differ in their parameters alone different names. */
static int
show_unique_functions(struct model *m, const struct group *g)
{
	struct model_function **f;
	size_t count;
	int ret = 0;

	if (m->demangle != DEMANGLE_SHORT)
		return 0;
	f = calloc((g->count > m->function_count ? g->count :
	    m->function_count) + 1, sizeof(*f));
	if (f == NULL)
		return -ENOMEM;
	count = list_shown_functions(m, g, f);
	for (size_t i = 0; i < count && ret == 0; i++)
		if (model_function_name(m, (uint32_t)(f[i] - m->functions)) ==
		    NULL)
			ret = -ENOMEM;
	if (ret == 0 && count > 1) {
		qsort(f, count, sizeof(*f), compare_shown_names);
		ret = show_parameters(m, f, count);
	}
	free(f);
	return ret;
}

int
disambiguate_names(struct model *m, const struct group *g)
{
	int ret = show_unique_modules(m, g);

	return ret != 0 ? ret : show_unique_functions(m, g);
}

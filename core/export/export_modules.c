/*
 * Context: O.  Chooses and names the modules of an export of objects, for
 * export.c; see export_modules.h.
 */
#include "export_modules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns whether a module is an object with addresses of its own that the
 * user's filter accepts.
 */
static bool
is_wanted(const struct model *m, uint32_t module)
{
	const struct model_module *own = &m->modules[module];
	const struct filter *f = m->filter;

	return (own->flags & (FORMAT_M_KERNEL | FORMAT_M_VDSO |
	    FORMAT_M_NO_ELF)) == 0 &&
	    filter_match_module(f, own->name, own->path);
}

static bool
is_main(const struct model *m, uint32_t module)
{
	return (m->modules[module].flags & FORMAT_M_MAIN) != 0;
}

/*
 * Returns an array that says which modules have counts; callers: modules that
 * only called count as well.  NULL: no memory.
 */
static bool *
used_modules(const struct model *m, bool callers)
{
	bool *used = calloc(m->module_count + 1, sizeof(*used));

	for (size_t i = 0; i < m->row_count && used != NULL; i++)
		if ((callers && model_is_caller(m->rows[i].kind)) ||
		    (model_is_cpu(m->rows[i].kind) &&
		    (m->rows[i].ns != 0 || m->rows[i].calls != 0)))
			used[m->rows[i].module] = true;
	return used;
}

int
export_modules_choose(struct export_modules *x, struct model *m, bool one,
    bool callers)
{
	bool *used = used_modules(m, callers);
	bool any = filter_is_on(m->filter, FILTER_MODULE);

	x->all = calloc(m->module_count + 1, sizeof(*x->all));
	if (used == NULL || x->all == NULL) {
		free(used);
		return -ENOMEM;
	}
	for (unsigned turn = 0; turn < 2; turn++)
		for (uint32_t i = MODEL_MODULES; i < m->module_count; i++)
			if (is_main(m, i) == (turn == 0) &&
			    is_wanted(m, i) &&
			    (one ? any || turn == 0 : used[i]))
				x->all[x->count++] = i;
	free(used);
	m->met[FILTER_MODULE] |= x->count != 0;
	return 0;
}

/* Returns how many modules before this one have its name. */
static unsigned
count_same_name_before(const struct export_modules *x, const struct model *m,
    size_t index)
{
	const struct model_module *all = m->modules;
	unsigned n = 0;

	for (size_t i = 0; i < index; i++)
		n += strcmp(all[x->all[i]].name,
		    all[x->all[index]].name) == 0;
	return n;
}

const char *
export_modules_path(const struct export_modules *x, struct model *m,
    const char *directory, size_t index, const char *suffix)
{
	const char *name = m->modules[x->all[index]].name;
	unsigned before = count_same_name_before(x, m, index);
	size_t head = strlen(directory) + 1, bytes = head + strlen(name) + 32;
	char *path = malloc(bytes);
	const char *kept;

	if (path == NULL)
		return NULL;
	snprintf(path, bytes, "%s/%s", directory, name);
	/* A path that ends in a slash has no last part. */
	for (char *at = path + head; *at != '\0'; at++)
		if (*at == '/')
			*at = '_';
	if (before != 0)
		snprintf(path + strlen(path), 12, ".%u", before + 1);
	strcat(path, suffix);
	kept = arena_copy(&m->arena, path, strlen(path));
	free(path);
	return kept;
}

void
export_modules_free(struct export_modules *x)
{
	free(x->all);
}

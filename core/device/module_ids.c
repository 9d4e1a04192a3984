/*
 * Context: O.  Numbers the modules of a device, as a snapshot first sees them;
 * see module_ids.h.
 */
#include "module_ids.h"

#include "base/vector.h"

#include <string.h>

static bool
is_entry_of_module(const struct module_ids_entry *e,
    const struct model_module *m)
{
	return e->build_id_bytes == m->build_id_bytes &&
	    memcmp(e->build_id, m->build_id, e->build_id_bytes) == 0 &&
	    strcmp(e->path, m->path) == 0;
}

uint32_t
module_ids_assign(struct module_ids *c, const struct model_module *m)
{
	struct module_ids_entry *e = c->all;
	size_t i = 0;

	while (i < c->count && !is_entry_of_module(&e[i], m))
		i++;
	if (i == c->count) {
		if (vector_grow(&c->all, c->count, &c->room, sizeof(*e)) != 0)
			return 0;
		e = c->all;
		memset(&e[i], 0, sizeof(*e));
		e[i].path = strdup(m->path);
		if (e[i].path == NULL)
			return 0;
		e[i].build_id_bytes = m->build_id_bytes;
		memcpy(e[i].build_id, m->build_id, m->build_id_bytes);
		c->count++;
	}
	e[i].gone = false;
	return (uint32_t)i + 1;
}

const struct module_ids_entry *
module_ids_get(const struct module_ids *c, uint32_t number)
{
	return number == 0 || number > c->count || c->all[number - 1].gone ?
	    NULL : &c->all[number - 1];
}

const char *
module_ids_name(const struct module_ids_entry *e)
{
	const char *slash = strrchr(e->path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : e->path;
}

void
module_ids_forget(struct module_ids *c)
{
	for (size_t i = 0; i < c->count; i++)
		c->all[i].gone = true;
}

void
module_ids_free(struct module_ids *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->all[i].path);
	free(c->all);
	memset(c, 0, sizeof(*c));
}

/*
 * Context: O.  Writes the mappings, functions and locations of pprof, for
 * export_pprof.c; see pprof_places.h.
 */
#include "tools/pprof_places.h"

#include "hex.h"

#include <errno.h>
#include <stdlib.h>

int
pprof_places_open(struct pprof_places *p, struct pprof_writer *to,
    struct sample_paths *in)
{
	*p = (struct pprof_places) { to, in, in->model, .met = NULL };
	p->met = calloc(in->sites.count + 1, sizeof(*p->met));
	return p->met == NULL ? -ENOMEM : 0;
}

void
pprof_places_close(struct pprof_places *p)
{
	key_table_free(&p->functions);
	free(p->met);
}

/* Returns the number of a function, which is written when it is first met. */
static uint64_t
put_function(struct pprof_places *p, uint32_t function, uint32_t file)
{
	const size_t before = p->functions.count;
	const struct model_function *f = &p->model->functions[function];
	const char *name = model_function_name(p->model, function);
	Pprof__Function own = PPROF__FUNCTION__INIT, *list = &own;
	Pprof__Profile part = PPROF__PROFILE__INIT;

	own.id = (uint64_t)key_table_add(&p->functions, function, file, 0) + 1;
	if (name == NULL || own.id > UINT32_MAX) {
		p->to->failed = true;
		return 0;
	}
	if (p->functions.count == before)
		return own.id;
	own.name = pprof_writer_string(p->to, name);
	own.system_name = pprof_writer_string(p->to, f->named ? f->name : name);
	own.filename = pprof_writer_string(p->to, file == MODEL_NONE ? "" :
	    p->model->sources.paths.all[file]);
	part.n_function = 1;
	part.function = &list;
	pprof_writer_put(p->to, &part);
	return own.id;
}

/* Makes the lines of a site.  A site without lines has the function alone. */
static size_t
put_lines(struct pprof_places *p, const struct code_location *site,
    Pprof__Line *lines, Pprof__Line **list)
{
	const size_t count = site->scopes == 0 ? 1 : site->scopes;

	for (size_t i = 0; i < count; i++) {
		const struct model_scope none = {
			.file = MODEL_NONE, .function = site->function,
		};
		const struct model_scope *s = site->scopes == 0 ? &none :
		    &p->model->scopes[site->scope + i];

		pprof__line__init(&lines[i]);
		lines[i].function_id = put_function(p, s->function, s->file);
		lines[i].line = s->line;
		list[i] = &lines[i];
	}
	return count;
}

uint64_t
pprof_places_location(struct pprof_places *p, uint32_t number)
{
	const struct code_location *site = &p->in->sites.all[number];
	const size_t room = site->scopes == 0 ? 1 : site->scopes;
	Pprof__Location own = PPROF__LOCATION__INIT, *one = &own;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Line *lines, **list;

	if (p->met[number])
		return (uint64_t)number + 1;
	p->met[number] = true;
	lines = calloc(room, sizeof(*lines));
	list = calloc(room, sizeof(*list));
	if (lines != NULL && list != NULL) {
		own.n_line = put_lines(p, site, lines, list);
		own.line = list;
		own.id = (uint64_t)number + 1;
		own.mapping_id = p->in->layout[site->module].used ?
		    site->module : 0;
		own.address = sample_paths_address(p->in, number);
		part.n_location = 1;
		part.location = &one;
		pprof_writer_put(p->to, &part);
	}
	p->to->failed |= lines == NULL || list == NULL;
	free(lines);
	free(list);
	return (uint64_t)number + 1;
}

/* Writes the mapping of a module, whose number is that of the module. */
static void
put_mapping(struct pprof_places *p, uint32_t module)
{
	const struct model_module *m = &p->model->modules[module];
	const struct address_layout_module *l = &p->in->layout[module];
	Pprof__Mapping own = PPROF__MAPPING__INIT, *one = &own;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	char id[2 * sizeof(m->build_id) + 1];
	const size_t digits = (size_t)(hex_put(id, m->build_id,
	    m->build_id_bytes) - id);
	const char *kept = model_intern(p->model, id, digits);

	p->to->failed |= kept == NULL;
	own.id = module;
	own.memory_start = l->start;
	own.memory_limit = l->limit;
	own.file_offset = l->offset;
	own.filename = pprof_writer_string(p->to, m->path);
	own.build_id = pprof_writer_string(p->to, kept == NULL ? "" : kept);
	own.has_functions = own.has_filenames = own.has_line_numbers =
	    own.has_inline_frames = true;
	part.n_mapping = 1;
	part.mapping = &one;
	pprof_writer_put(p->to, &part);
}

void
pprof_places_put_mappings(struct pprof_places *p)
{
	const struct model *m = p->model;

	/* The program comes first: pprof takes the first mapping for it. */
	for (unsigned turn = 0; turn < 2; turn++)
		for (uint32_t i = MODEL_MODULES; i < m->module_count; i++)
			if (p->in->layout[i].used && (turn == 0) ==
			    ((m->modules[i].flags & FORMAT_M_MAIN) != 0))
				put_mapping(p, i);
}

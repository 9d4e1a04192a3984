/*
 * Context: O.  Samples with their callers, as export formats of stacks need
 * them; for core/export, see sample_paths.h.
 */
#include "derive/sample_paths.h"

#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number of places on the deepest stack of a row. */
static size_t
max_stack_depth(const struct model *m)
{
	size_t most = 0;

	for (size_t i = 0; i < m->row_count; i++) {
		size_t depth = 1;

		for (uint32_t f = m->rows[i].stack; f != 0;
		    f = m->stacks.frames[f].caller)
			depth++;
		if (depth > most)
			most = depth;
	}
	return most;
}

/* Returns the ranges of the modules of all sites; NULL if memory is out. */
static struct address_layout_module *
lay_out_modules(const struct sample_paths *s)
{
	bool *used = calloc(s->model->module_count, sizeof(*used));
	struct address_layout_module *layout = NULL;

	for (size_t i = 0; i < s->sites.count && used != NULL; i++)
		used[s->sites.all[i].module] = true;
	if (used != NULL)
		layout = address_layout_make(s->model, used);
	free(used);
	return layout;
}

int
sample_paths_open(struct sample_paths *s, struct model *m)
{
	int ret;

	memset(s, 0, sizeof(*s));
	s->model = m;
	ret = focus_make(&s->focus, m);
	if (ret == 0)
		ret = code_locations_make(&s->sites, m);
	if (ret != 0)
		return ret;
	s->layout = lay_out_modules(s);
	s->depth_most = max_stack_depth(m);
	s->path = calloc(s->depth_most + 1, sizeof(*s->path));
	return s->layout == NULL || s->path == NULL ? -ENOMEM : 0;
}

void
sample_paths_close(struct sample_paths *s)
{
	focus_free(&s->focus);
	code_locations_free(&s->sites);
	free(s->layout);
	free(s->path);
	free(s->frames);
	memset(s, 0, sizeof(*s));
}

/* Returns whether the row is a sample that the filters select. */
static bool
is_sample_row(const struct sample_paths *s, const struct model_row *r)
{
	return !model_is_caller(r->kind) &&
	    (r->ns != 0 || model_heap(s->model, r)->total_blocks != 0 ||
	    model_heap(s->model, r)->mappings != 0) &&
	    (s->any_time ||
	    model_is_cpu(r->kind) != s->model->filter->asleep) &&
	    focus_matches(&s->focus, s->model, r);
}

bool
sample_paths_get(struct sample_paths *s, size_t row)
{
	const struct model *m = s->model;

	if (!is_sample_row(s, &m->rows[row]))
		return false;
	s->path[0] = s->sites.of_row[row];
	s->depth = 1;
	for (uint32_t f = m->rows[row].stack; f != 0;
	    f = m->stacks.frames[f].caller)
		s->path[s->depth++] = s->sites.of_frame[f];
	return true;
}

static int
add_sample_frame(struct sample_paths *s, const struct sample_paths_frame *frame)
{
	if (vector_grow(&s->frames, s->frame_count, &s->frame_room,
	    sizeof(*s->frames)) != 0)
		return -ENOMEM;
	s->frames[s->frame_count++] = *frame;
	return 0;
}

/* Adds the functions of a site to s->frames.  Returns 0 or -ENOMEM. */
static int
add_location_frames(struct sample_paths *s, uint32_t number)
{
	const struct code_location *p = &s->sites.all[number];
	struct sample_paths_frame frame = {
		.site = number, .function = p->function, .file = MODEL_NONE,
	};
	int ret = 0;

	if (p->scopes == 0)
		return add_sample_frame(s, &frame);
	for (uint32_t i = 0; i < p->scopes && ret == 0; i++) {
		const struct model_scope *scope =
		    &s->model->scopes[p->scope + i];

		frame.function = scope->function;
		frame.file = scope->file;
		frame.line = scope->line;
		frame.inlined = i + 1 < p->scopes;
		ret = add_sample_frame(s, &frame);
	}
	return ret;
}

int
sample_paths_get_frames(struct sample_paths *s)
{
	int ret = 0;

	s->frame_count = 0;
	for (size_t i = 0; i < s->depth && ret == 0; i++)
		ret = add_location_frames(s, s->path[i]);
	return ret;
}

uint64_t
sample_paths_address(const struct sample_paths *s, uint32_t site)
{
	const struct code_location *own = &s->sites.all[site];

	return own->address == 0 ? 0 :
	    own->address + s->layout[own->module].shift;
}

const char *
sample_paths_thread(const struct sample_paths *s, uint32_t thread)
{
	const struct format_thread *t;

	if (thread == MODEL_NONE)
		return "";
	t = &s->model->threads[thread].thread;
	return model_intern(s->model, t->name, strnlen(t->name,
	    sizeof(t->name)));
}

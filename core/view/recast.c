/* Context: O.  Stacks of something else than functions. */
#include "recast.h"

#include "grow.h"
#include "strings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct recast {
	struct model *model;
	unsigned by;
	struct strings names;	/* "module name": functions by `first` + number */
	size_t first;
	bool failed;		/* memory is out */
};

static bool
has(const struct recast *x, enum group_by what)
{
	return (x->by & 1u << what) != 0;
}

/* The function of that name in that module, made when it is not there. */
static uint32_t
make(struct recast *x, uint32_t module, const char *name)
{
	struct model *m = x->model;
	const size_t before = x->names.count;
	char *key = NULL;
	const char *kept = NULL;
	size_t bytes;
	FILE *to = open_memstream(&key, &bytes);
	uint32_t n;

	if (to != NULL) {
		fprintf(to, "%" PRIu32 " %s", module, name);
		if (fclose(to) == 0)
			kept = arena_copy(&m->arena, key, bytes);
		free(key);
	}
	n = kept == NULL ? UINT32_MAX : strings_add(&x->names, kept);
	if (n == UINT32_MAX || grow(&m->functions, m->function_count,
	    &m->function_room, sizeof(*m->functions)) != 0) {
		x->failed = true;
		return 0;
	}
	if (x->names.count != before)
		m->functions[m->function_count++] = (struct model_function) {
			.module = module, .name = strchr(kept, ' ') + 1,
			.shown = strchr(kept, ' ') + 1,
			.full = strchr(kept, ' ') + 1, .named = true,
		};
	return (uint32_t)(x->first + n);
}

/* What is no function stays what it is. */
static bool
is_code(const struct model *m, uint32_t function)
{
	return m->functions[function].module >= MODEL_MODULES;
}

static uint32_t
make_line(struct recast *x, uint32_t function, uint32_t file, uint32_t line)
{
	struct model *m = x->model;
	const char *name = model_function_shown(m, function);
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	uint32_t made = 0;

	if (file == MODEL_NONE || name == NULL || to == NULL) {
		if (to != NULL)
			fclose(to);
		free(text);
		return function;
	}
	fprintf(to, "%s  %s:%" PRIu32, name, m->sources.shown[file], line);
	if (fclose(to) == 0)
		made = make(x, m->functions[function].module, text);
	free(text);
	return made;
}

static uint32_t
make_unit(struct recast *x, const struct model_row *r)
{
	struct model *m = x->model;
	const struct model_scope *s = r->scopes == 0 ? NULL :
	    &m->scopes[r->scope];
	char address[24];

	if (!is_code(m, r->function))
		return r->function;
	if (has(x, GROUP_ADDRESS)) {
		snprintf(address, sizeof(address), "%#" PRIx64,
		    model_place(r));
		return make(x, r->module, address);
	}
	if (has(x, GROUP_FILE))
		return make(x, r->module, s == NULL || s->file == MODEL_NONE ?
		    "-" : m->sources.paths.all[s->file]);
	return make(x, r->module, model_module_shown(m, r->module));
}

/* Lines are of each inlined function; all else is of the place. */
static void
recast_units(struct recast *x)
{
	struct model *m = x->model;

	if (has(x, GROUP_LINE)) {
		for (size_t i = 0; i < m->scope_count; i++) {
			struct model_scope *s = &m->scopes[i];

			s->function = make_line(x, s->function, s->file,
			    s->line);
		}
		for (size_t i = 0; i < m->row_count; i++)
			if (m->rows[i].scopes != 0)
				m->rows[i].function = m->scopes[
				    m->rows[i].scope + m->rows[i].scopes -
				    1].function;
		return;
	}
	for (size_t i = 0; i < m->row_count; i++) {
		m->rows[i].function = make_unit(x, &m->rows[i]);
		m->rows[i].scopes = 0;
	}
}

static void
put_owner(struct recast *x, FILE *to, const struct model_row *r)
{
	const struct model *m = x->model;
	const struct format_thread *t = r->thread == MODEL_NONE ? NULL :
	    &m->threads[r->thread].thread;

	if (r->process != MODEL_NONE && has(x, GROUP_PROGRAM) &&
	    !has(x, GROUP_PROCESS))
		fprintf(to, "%s", m->processes[r->process].program);
	if (r->process != MODEL_NONE && (has(x, GROUP_PROCESS) ||
	    (has(x, GROUP_THREAD) && !has(x, GROUP_PROGRAM))))
		fprintf(to, "%" PRId32 " %s", m->processes[r->process].pid,
		    m->processes[r->process].program);
	if (!has(x, GROUP_THREAD))
		return;
	if (t == NULL)
		fputs(", not sampled", to);
	else
		fprintf(to, ", %" PRId32 " %.*s", t->tid,
		    (int)sizeof(t->name), t->name);
}

static void
recast_owners(struct recast *x)
{
	struct model *m = x->model;

	for (size_t i = 0; i < m->row_count && !x->failed; i++) {
		char *text = NULL;
		size_t bytes;
		FILE *to;

		if (model_is_caller(m->rows[i].kind))
			continue;
		to = open_memstream(&text, &bytes);
		if (to == NULL) {
			x->failed = true;
			return;
		}
		put_owner(x, to, &m->rows[i]);
		if (fclose(to) == 0)
			m->rows[i].root = make(x, MODEL_MODULE_NONE,
			    bytes == 0 ? "-" : text) + 1;
		free(text);
	}
}

int
recast(struct model *m, unsigned by)
{
	struct recast x = {
		.model = m, .by = by, .first = m->function_count,
	};

	m->coarse = has(&x, GROUP_MODULE) || has(&x, GROUP_FILE);
	m->rooted = (by & RECAST_OWNERS) != 0;
	if ((by & RECAST_UNITS & ~(1u << GROUP_FUNCTION)) != 0)
		recast_units(&x);
	if ((by & RECAST_OWNERS) != 0)
		recast_owners(&x);
	if (!x.failed)
		model_name_frames(m);
	strings_free(&x.names);
	return x.failed ? -ENOMEM : 0;
}

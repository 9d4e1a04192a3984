/*
 * Context: O.  Turns frames of stacks from functions into modules, files, lines
 * or addresses, for cmd/prof/report.c: makes a function for each of these, and
 * puts it in place of the row's function.
 */
#include "table/regroup_frames.h"

#include "base/focus.h"
#include "base/string_pool.h"
#include "base/vector.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct regroup_frames {
	struct model *model;
	unsigned by;
	/*
	 * "module name" of each made function; the function's number is first +
	 * number of the text
	 */
	struct string_pool names;
	size_t first;
	bool failed;		/* memory is out */
};

static bool
regroups_by(const struct regroup_frames *x, enum group_by what)
{
	return (x->by & 1u << what) != 0;
}

/*
 * Returns the function with that name in that module, which is made if it is
 * missing; any number, with x->failed set, if memory is out.
 */
static uint32_t
make_regrouped(struct regroup_frames *x, uint32_t module, const char *name)
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
	n = kept == NULL ? UINT32_MAX : string_pool_add(&x->names, kept);
	if (n == UINT32_MAX || vector_grow(&m->functions, m->function_count,
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

/*
 * Returns whether the function is in a module of a file.  Other functions are
 * not replaced.
 */
static bool
function_is_code(const struct model *m, uint32_t function)
{
	return m->functions[function].module >= MODEL_MODULES;
}

/*
 * Returns a function for a line of a function, named after both; the function
 * itself if the line is not known, or, with x->failed set, if memory is out.
 */
static uint32_t
make_line_function(struct regroup_frames *x, uint32_t function, uint32_t file,
    uint32_t line)
{
	struct model *m = x->model;
	const char *name;
	char *text = NULL;
	size_t bytes;
	FILE *to;

	if (file == MODEL_NONE)
		return function;
	name = model_function_name(m, function);
	to = name == NULL ? NULL : open_memstream(&text, &bytes);
	if (to == NULL) {
		x->failed = true;
		return function;
	}
	fprintf(to, "%s  %s:%" PRIu32, name, m->sources.shown[file], line);
	if (fclose(to) == 0)
		function = make_regrouped(x, m->functions[function].module,
		    text);
	else
		x->failed = true;
	free(text);
	return function;
}

/* Returns a function for the address, file or module of a row. */
static uint32_t
make_unit_function(struct regroup_frames *x, const struct model_row *r)
{
	struct model *m = x->model;
	const struct model_scope *s = r->scopes == 0 ? NULL :
	    &m->scopes[r->scope];
	char address[24];

	if (!function_is_code(m, r->function))
		return r->function;
	if (regroups_by(x, GROUP_ADDRESS)) {
		snprintf(address, sizeof(address), "%#" PRIx64,
		    model_lookup_address(r));
		return make_regrouped(x, r->module, address);
	}
	if (regroups_by(x, GROUP_FILE))
		return make_regrouped(x, r->module, s == NULL ||
		    s->file == MODEL_NONE ? "-" :
		    m->sources.paths.all[s->file]);
	return make_regrouped(x, r->module, model_module_name(m, r->module));
}

/*
 * Replaces functions, until x->failed is set.  Lines are made for each inlined
 * function; all else is made for the address.
 */
static void
regroup_units(struct regroup_frames *x)
{
	struct model *m = x->model;

	if (regroups_by(x, GROUP_LINE)) {
		for (size_t i = 0; i < m->scope_count && !x->failed; i++) {
			struct model_scope *s = &m->scopes[i];

			s->function = make_line_function(x, s->function,
			    s->file, s->line);
		}
		for (size_t i = 0; i < m->row_count && !x->failed; i++)
			if (m->rows[i].scopes != 0)
				m->rows[i].function = m->scopes[
				    m->rows[i].scope + m->rows[i].scopes -
				    1].function;
		return;
	}
	for (size_t i = 0; i < m->row_count && !x->failed; i++) {
		m->rows[i].function = make_unit_function(x, &m->rows[i]);
		m->rows[i].scopes = 0;
	}
}

/* Prints the name of a row's root: program, process, thread. */
static void
put_root_name(struct regroup_frames *x, FILE *to, const struct model_row *r)
{
	const struct model *m = x->model;
	const struct format_thread *t = r->thread == MODEL_NONE ? NULL :
	    &m->threads[r->thread].thread;

	if (r->process != MODEL_NONE && regroups_by(x, GROUP_PROGRAM) &&
	    !regroups_by(x, GROUP_PROCESS))
		fprintf(to, "%s", m->processes[r->process].program);
	if (r->process != MODEL_NONE && (regroups_by(x, GROUP_PROCESS) ||
	    (regroups_by(x, GROUP_THREAD) && !regroups_by(x, GROUP_PROGRAM))))
		fprintf(to, "%" PRId32 " %s", m->processes[r->process].pid,
		    m->processes[r->process].program);
	if (!regroups_by(x, GROUP_THREAD))
		return;
	if (t == NULL)
		fputs(", not sampled", to);
	else
		fprintf(to, ", %" PRId32 " %.*s", t->tid,
		    (int)sizeof(t->name), t->name);
}

/* Gives each row that is no caller its root. */
static void
regroup_roots(struct regroup_frames *x)
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
		put_root_name(x, to, &m->rows[i]);
		if (fclose(to) == 0)
			m->rows[i].root = make_regrouped(x, MODEL_MODULE_NONE,
			    bytes == 0 ? "-" : text) + 1;
		else
			x->failed = true;
		free(text);
	}
}

int
regroup_frames(struct model *m, unsigned by)
{
	const unsigned units = by & REGROUP_FRAMES_UNITS & ~(1u <<
	    GROUP_FUNCTION);
	struct regroup_frames x = {
		.model = m, .by = by, .first = m->function_count,
	};

	m->coarse = regroups_by(&x, GROUP_MODULE) || regroups_by(&x,
	    GROUP_FILE);
	m->rooted = (by & REGROUP_FRAMES_ROOTS) != 0;
	if (units != 0 && focus_keep(m) != 0)
		return -ENOMEM;
	if (units != 0)
		regroup_units(&x);
	if ((by & REGROUP_FRAMES_ROOTS) != 0)
		regroup_roots(&x);
	if (!x.failed)
		model_name_frames(m);
	string_pool_free(&x.names);
	return x.failed ? -ENOMEM : 0;
}

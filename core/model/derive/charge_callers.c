/*
 * Context: O.  Charges libraries to their callers, for prof --mine; see
 * charge_callers.h.
 */
#include "derive/charge_callers.h"

#include "base/focus.h"
#include "base/vector.h"
#include "derive/module_origin.h"
#include "symbol/library_name.h"
#include "symbol/name_match.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of one call of charge_callers(). */
struct charge {
	struct model *model;
	bool *mine;		/* by function */
	/* by frame: itself or the nearest caller that is mine, or 0 */
	uint32_t *owner;
	/* by frame: the same, but cuts of stacks count, too */
	uint32_t *kept;
};

/* A place of code: of a row or a frame. */
struct charged_place {
	uint32_t function, scope, scopes;
};

/*
 * Copies the first name of a list with commas between its names.  Returns what
 * is behind it, or NULL at the end of the list.
 */
static const char *
next_name(const char *list, char name[CHARGE_CALLERS_NAME])
{
	const size_t bytes = strcspn(list, ",");

	if (*list == '\0')
		return NULL;
	snprintf(name, CHARGE_CALLERS_NAME, "%.*s", (int)(bytes <
	    CHARGE_CALLERS_NAME ? bytes : CHARGE_CALLERS_NAME - 1), list);
	return list + bytes + (list[bytes] == ',');
}

/* Returns whether a name that the user gave is that of the module. */
static bool
is_module_of_name(const struct model_module *own, const char *name)
{
	return name_match(name, own->name, NAME_MATCH_PART) ||
	    name_match(name, own->path, NAME_MATCH_WHOLE);
}

static bool
is_in_list(const struct model_module *own, const char *list)
{
	char name[CHARGE_CALLERS_NAME];

	while ((list = next_name(list, name)) != NULL)
		if (is_module_of_name(own, name))
			return true;
	return false;
}

bool
charge_callers_unknown(const struct model *m, const char *more,
    char name[CHARGE_CALLERS_NAME])
{
	while ((more = next_name(more, name)) != NULL) {
		size_t i = MODEL_MODULES;

		while (i < m->module_count && !is_module_of_name(
		    &m->modules[i], name))
			i++;
		if (i == m->module_count)
			return true;
	}
	return false;
}

static bool
is_my_module(const struct model *m, uint32_t module, const char *more)
{
	const struct model_module *own = &m->modules[module];

	if (module < MODEL_MODULES)
		return model_is_generated(module);
	return module_origin_is_program(m, own) || is_in_list(own, more);
}

/* Sets c->mine[f] for each function f.  Returns 0 or -ENOMEM. */
static int
find_my_functions(struct charge *c, const char *more)
{
	const struct model *m = c->model;
	bool *modules = calloc(m->module_count + 1, sizeof(*modules));

	if (modules == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->module_count; i++)
		modules[i] = is_my_module(m, i, more);
	for (size_t i = 0; i < m->function_count; i++)
		c->mine[i] = modules[m->functions[i].module] &&
		    !library_name_is_standard(m->functions[i].name);
	free(modules);
	return 0;
}

/*
 * Copies the scopes of a place that are mine behind all others, at least one,
 * and lets *p refer to the copies.  Returns 0 or -ENOMEM.
 */
static int
copy_my_scopes(const struct charge *c, struct charged_place *p)
{
	struct model *m = c->model;
	const uint32_t from = p->scope, end = p->scope + p->scopes;

	p->scope = (uint32_t)m->scope_count;
	for (uint32_t i = from; i < end; i++) {
		if (!c->mine[m->scopes[i].function])
			continue;
		if (m->scope_count >= UINT32_MAX || vector_grow(&m->scopes,
		    m->scope_count, &m->scope_room, sizeof(*m->scopes)) != 0)
			return -ENOMEM;
		m->scopes[m->scope_count++] = m->scopes[i];
	}
	p->scopes = (uint32_t)m->scope_count - p->scope;
	p->function = m->scopes[m->scope_count - 1].function;
	return 0;
}

/*
 * Leaves the functions of a place that are mine.  Sets *any to whether there
 * are any; if not, the place stays as it is.  Returns 0 or -ENOMEM.
 */
static int
keep_my_functions(const struct charge *c, struct charged_place *p, bool *any)
{
	uint32_t mine = 0;

	for (uint32_t i = 0; i < p->scopes; i++)
		mine += c->mine[c->model->scopes[p->scope + i].function];
	*any = p->scopes == 0 ? c->mine[p->function] : mine != 0;
	return mine == 0 || mine == p->scopes ? 0 : copy_my_scopes(c, p);
}

/*
 * Takes the frames that are not mine out of the stacks of those that are, and
 * sets c->owner and c->kept.  Returns 0 or -ENOMEM.
 */
static int
charge_frames(struct charge *c)
{
	struct model *m = c->model;
	int ret = 0;

	for (uint32_t i = 1; i < m->stacks.count && ret == 0; i++) {
		struct stack_frame *f = &m->stacks.frames[i];
		struct charged_place p = { f->function, f->scope, f->scopes };
		bool any;

		ret = keep_my_functions(c, &p, &any);
		f->function = p.function;
		f->scope = p.scope;
		f->scopes = p.scopes;
		c->owner[i] = any ? i : c->owner[f->caller];
		c->kept[i] = any || model_is_cut(f->module) ? i :
		    c->kept[f->caller];
		if (any)
			f->caller = c->kept[f->caller];
	}
	return ret;
}

/*
 * Moves a row to a frame: inside the call, as a row of its own kind has it.
 * The frame of a function of Python has the module of generated code.
 */
static void
move_row(const struct model *m, struct model_row *r,
    const struct stack_frame *f)
{
	const struct model_row caller = {
		.kind = f->kind, .address = f->address,
	};

	r->module = m->functions[f->function].module;
	r->address = f->address == 0 ? 0 : model_lookup_address(&caller);
	if (r->kind == FORMAT_KERNEL || r->kind == FORMAT_SLEEP)
		r->address++;
	r->function = f->function;
	r->scope = f->scope;
	r->scopes = f->scopes;
	r->stack = f->caller;
}

/*
 * Takes others out of the stack of a row, or moves it to its owner.  Returns 0
 * or -ENOMEM.
 */
static int
charge_row(struct charge *c, struct model_row *r)
{
	struct model *m = c->model;
	struct charged_place p = { r->function, r->scope, r->scopes };
	bool any;
	int ret = keep_my_functions(c, &p, &any);

	if (ret != 0)
		return ret;
	if (any) {
		r->function = p.function;
		r->scope = p.scope;
		r->scopes = p.scopes;
		r->stack = c->kept[r->stack];
	} else if (c->owner[r->stack] != 0) {
		move_row(m, r, &m->stacks.frames[c->owner[r->stack]]);
	} else if (!model_is_caller(r->kind) && model_is_cpu(r->kind)) {
		m->uncharged_ns += r->ns;
	} else if (r->kind == FORMAT_SLEEP) {
		m->uncharged_sleep_ns += r->ns;
	}
	return 0;
}

int
charge_callers(struct model *m, const char *more)
{
	struct charge c = { .model = m };
	int ret = focus_keep(m);

	c.mine = calloc(m->function_count + 1, sizeof(*c.mine));
	c.owner = calloc(m->stacks.count + 1, sizeof(*c.owner));
	c.kept = calloc(m->stacks.count + 1, sizeof(*c.kept));
	if (c.mine == NULL || c.owner == NULL || c.kept == NULL)
		ret = -ENOMEM;
	if (ret == 0)
		ret = find_my_functions(&c, more);
	if (ret == 0)
		ret = charge_frames(&c);
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		ret = charge_row(&c, &m->rows[i]);
	free(c.mine);
	free(c.owner);
	free(c.kept);
	return ret;
}

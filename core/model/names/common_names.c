/*
 * Context: O.  Names functions, modules and programs of several runs alike, for
 * prof --diff; see common_names.h.
 */
#define _GNU_SOURCE		/* asprintf, mempcpy */
#include "names/common_names.h"

#include "base/vector.h"
#include "symbol/name_match.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Begins the name of a lambda expression, which its place ends. */
#define LAMBDA	"{lambda "

/*
 * Returns the number of a text in the pool, whose side is noted in the array
 * beside it; UINT32_MAX: no memory.
 */
static uint32_t
note_side(struct string_pool *pool, unsigned **sides, size_t *room,
    const char *text, enum common_names_side side)
{
	const size_t before = pool->count;
	const uint32_t n = string_pool_add(pool, text);

	if (n == UINT32_MAX ||
	    vector_grow(sides, n, room, sizeof(**sides)) != 0)
		return UINT32_MAX;
	if (pool->count != before)
		(*sides)[n] = 0;
	(*sides)[n] |= 1u << side;
	return n;
}

/*
 * Returns whether two modules of a name are not known to be the same file.
 * Files of other profilers may have neither build-id nor inode.
 */
static bool
is_other_build(const struct model_module *a, const struct model_module *b)
{
	if (a->build_id_bytes != 0 && b->build_id_bytes != 0)
		return a->build_id_bytes != b->build_id_bytes ||
		    memcmp(a->build_id, b->build_id, a->build_id_bytes) != 0;
	return a->device != b->device || a->inode != b->inode;
}

/* Returns the module with the name of *own; NULL: no memory. */
static struct common_names_module *
find_module(struct common_names *c, const struct model_module *own)
{
	const size_t before = c->names.count;
	const uint32_t n = string_pool_add(&c->names, own->name);

	if (n == UINT32_MAX || vector_grow(&c->modules, n, &c->module_room,
	    sizeof(*c->modules)) != 0)
		return NULL;
	if (c->names.count != before)
		c->modules[n] = (struct common_names_module) { .first = own };
	else
		c->modules[n].builds |= is_other_build(c->modules[n].first,
		    own);
	return &c->modules[n];
}

/* Adds a module of a run, and whether the run names its functions. */
static int
add_module(struct common_names *c, const struct model_module *own,
    size_t functions, size_t named)
{
	struct common_names_module *x = find_module(c, own);

	if (x == NULL)
		return -ENOMEM;
	x->named |= named != 0;
	if (functions == 0 || named != 0)
		return 0;
	x->nameless = own;
	x->lost |= !object_is_found(own->state);
	return 0;
}

/* Notes the named functions of the programs of a run. */
static int
add_functions(struct common_names *c, const struct model *m,
    enum common_names_side side)
{
	for (size_t i = 0; i < m->function_count; i++) {
		const struct model_function *f = &m->functions[i];

		if (f->named && (m->modules[f->module].flags &
		    FORMAT_M_MAIN) != 0 && note_side(&c->functions,
		    &c->function_sides, &c->function_room, f->name, side) ==
		    UINT32_MAX)
			return -ENOMEM;
	}
	return 0;
}

int
common_names_add(struct common_names *c, const struct model *m,
    enum common_names_side side)
{
	struct { size_t functions, named; } *sums =
	    calloc(m->module_count + 1, sizeof(*sums));
	int ret = sums == NULL ? -ENOMEM : 0;

	c->spoken |= m->import_count != 0;
	for (size_t i = 0; i < m->function_count && ret == 0; i++) {
		sums[m->functions[i].module].functions++;
		sums[m->functions[i].module].named += m->functions[i].named;
	}
	for (size_t i = MODEL_MODULES; i < m->module_count && ret == 0; i++)
		ret = add_module(c, &m->modules[i], sums[i].functions,
		    sums[i].named);
	for (size_t i = 0; i < m->process_count && ret == 0; i++)
		if (note_side(&c->programs, &c->program_sides,
		    &c->program_room, m->processes[i].program, side) ==
		    UINT32_MAX)
			ret = -ENOMEM;
	free(sums);
	return ret == 0 ? add_functions(c, m, side) : ret;
}

/*
 * Returns whether half of the functions of the side with fewer are on both
 * sides, or one side alone has names.
 */
static bool
has_same_functions(const struct common_names *c)
{
	size_t count[COMMON_NAMES_SIDES] = { 0 }, both = 0, fewer;

	for (size_t i = 0; i < c->functions.count; i++) {
		for (unsigned side = 0; side < COMMON_NAMES_SIDES; side++)
			count[side] += c->function_sides[i] >> side & 1;
		both += c->function_sides[i] == 3;
	}
	fewer = count[COMMON_NAMES_BEFORE] < count[COMMON_NAMES_NOW] ?
	    count[COMMON_NAMES_BEFORE] : count[COMMON_NAMES_NOW];
	return fewer == 0 ? c->functions.count != 0 : 2 * both >= fewer;
}

/* Makes the modules of a program that was renamed one, that of now. */
static void
join_renamed_modules(struct common_names *c)
{
	const char *before = c->renamed[COMMON_NAMES_BEFORE];
	const char *now = c->renamed[COMMON_NAMES_NOW];
	const uint32_t a = string_pool_find(&c->names, before, strlen(before));
	const uint32_t b = string_pool_find(&c->names, now, strlen(now));
	const struct common_names_module *from;
	struct common_names_module *to;

	if (a == UINT32_MAX || b == UINT32_MAX)
		return;
	from = &c->modules[a];
	to = &c->modules[b];
	if (to->nameless == NULL)
		to->nameless = from->nameless;
	to->named |= from->named;
	to->builds |= from->builds | is_other_build(from->first, to->first);
	to->lost |= from->lost;
}

void
common_names_finish(struct common_names *c)
{
	const char *only[COMMON_NAMES_SIDES] = { NULL };
	size_t count[COMMON_NAMES_SIDES] = { 0 };

	for (size_t i = 0; i < c->programs.count; i++)
		for (unsigned side = 0; side < COMMON_NAMES_SIDES; side++)
			if (c->program_sides[i] == 1u << side) {
				only[side] = c->programs.all[i];
				count[side]++;
			}
	if (count[COMMON_NAMES_BEFORE] == 1 && count[COMMON_NAMES_NOW] == 1 &&
	    has_same_functions(c)) {
		memcpy(c->renamed, only, sizeof(c->renamed));
		join_renamed_modules(c);
	}
}

const char *
common_names_program(const struct common_names *c, const char *program)
{
	const char *before = c->renamed[COMMON_NAMES_BEFORE];

	return before != NULL && strcmp(program, before) == 0 ?
	    c->renamed[COMMON_NAMES_NOW] : program;
}

const char *
common_names_module(const struct common_names *c, const struct model *m,
    uint32_t module)
{
	return common_names_program(c, m->modules[module].name);
}

/* Returns the text for functions of a module that are one; NULL: no memory. */
static const char *
text_of_all(struct common_names *c, const char *of, const char *module)
{
	const char *text;
	char *all = NULL;

	if (asprintf(&all, "[%s %s]", of, module) < 0)
		return NULL;
	text = arena_copy(&c->texts, all, strlen(all));
	free(all);
	return text;
}

/*
 * Returns a name without the mark of a compiler's copy, which is the name
 * itself if it has none; NULL: no memory.
 */
static const char *
without_clone_mark(struct common_names *c, const char *name)
{
	const size_t bytes = name_match_clone_mark(name);

	return name[bytes] == '\0' ? name :
	    arena_copy(&c->texts, name, bytes);
}

/*
 * Returns a name without the lines of lambda expressions in it, which another
 * build has at other lines: "{lambda a.cpp:54}" becomes "{lambda a.cpp}".
 * Returns the name itself if it has none; NULL: no memory.
 */
static const char *
without_lambda_lines(struct common_names *c, const char *name)
{
	const char *at = strstr(name, LAMBDA), *end, *line, *kept;
	char *text, *to;

	if (at == NULL)
		return name;
	to = text = malloc(strlen(name) + 1);
	if (text == NULL)
		return NULL;
	for (; at != NULL; at = strstr(name, LAMBDA)) {
		end = at + strcspn(at, "}");
		for (line = end; line > at && isdigit((unsigned char)line[-1]);
		    line--)
			;
		if (line > at && line[-1] == ':')
			line--;
		else
			line = end;
		to = mempcpy(to, name, (size_t)(line - name));
		name = end;
	}
	strcpy(to, name);
	kept = arena_copy(&c->texts, text, strlen(text));
	free(text);
	return kept;
}

/*
 * Returns what a module is in the comparison; NULL: no module of a file, or one
 * of a run that was not added.
 */
static const struct common_names_module *
known_module(const struct common_names *c, const struct model *m,
    uint32_t module)
{
	const char *name = common_names_module(c, m, module);
	const uint32_t n = module < MODEL_MODULES ? UINT32_MAX :
	    string_pool_find(&c->names, name, strlen(name));

	return n == UINT32_MAX ? NULL : &c->modules[n];
}

/* Returns whether no functions of the module can be told apart in all runs. */
static bool
is_module_one(const struct common_names_module *x)
{
	return x->nameless != NULL && x->named && (x->lost || x->builds);
}

bool
common_names_is_joined(const struct common_names *c, const struct model *m,
    uint32_t function)
{
	const struct model_function *f = &m->functions[function];
	const struct common_names_module *x = known_module(c, m, f->module);

	return x != NULL && (is_module_one(x) || (x->builds && !f->named));
}

/*
 * Returns a name without what may differ in another build; x: what its module
 * is, or NULL.  NULL: no memory.
 */
static const char *
common_text(struct common_names *c, const struct common_names_module *x,
    const char *name)
{
	name = without_clone_mark(c, name);
	return name == NULL || x == NULL || !x->builds ? name :
	    without_lambda_lines(c, name);
}

const char *
common_names_function(struct common_names *c, struct model *m,
    uint32_t function, const char **shown)
{
	const struct model_function *f = &m->functions[function];
	const struct common_names_module *x = known_module(c, m, f->module);
	const char *name = model_function_name(m, function);

	if (common_names_is_joined(c, m, function))
		return *shown = text_of_all(c, is_module_one(x) ?
		    "all functions of" :
		    "functions without names of",
		    common_names_module(c, m, f->module));
	if (name == NULL)
		name = "?";
	*shown = common_text(c, x, name);
	return c->spoken || !f->named ? *shown : common_text(c, x, f->name);
}

const struct model_module *
common_names_nameless(const struct common_names *c, size_t *at)
{
	while (*at < c->names.count) {
		const struct common_names_module *x = &c->modules[(*at)++];

		if (is_module_one(x))
			return x->nameless;
	}
	return NULL;
}

void
common_names_free(struct common_names *c)
{
	string_pool_free(&c->names);
	string_pool_free(&c->programs);
	string_pool_free(&c->functions);
	free(c->modules);
	free(c->program_sides);
	free(c->function_sides);
	arena_free(&c->texts);
	memset(c, 0, sizeof(*c));
}

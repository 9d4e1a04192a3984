/*
 * Context: O.  Attributes allocations to the callers of functions that only
 * request memory for others.
 */
#include "stack/skip_allocators.h"

#include <string.h>

static bool
name_begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/*
 * Returns whether the function only requests memory for its caller: all forms
 * of operator new in C++, libc's functions that copy texts, and allocators of
 * the loader and others under the usual names.  Names are as in symbol tables.
 */
static bool
is_allocator(const struct model *m, uint32_t function)
{
	static const char *const names[] = {
		"malloc", "calloc", "realloc", "strdup", "strndup", "wcsdup",
	};
	const char *name = function == MODEL_NONE ? NULL :
	    m->functions[function].name;

	if (name == NULL)
		return false;
	if (name_begins(name, "_Znw") || name_begins(name, "_Zna"))
		return true;
	name += name_begins(name, "__") ? 2 : 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/*
 * Moves a row to its caller.  The new address is inside the call, as in
 * read_profile_heap.c.
 */
static void
move_to_caller(struct model_row *r, const struct stack_frame *f)
{
	r->module = f->module;
	r->address = f->address - (f->kind == FORMAT_FRAME && f->address != 0);
	r->function = f->function;
	r->scope = f->scope;
	r->scopes = f->scopes;
	r->stack = f->caller;
}

/* Skips inlined allocators.  The outermost scope is the function itself. */
static void
skip_inlined(const struct model *m, struct model_row *r)
{
	while (r->scopes > 1 &&
	    is_allocator(m, m->scopes[r->scope].function)) {
		r->scope++;
		r->scopes--;
	}
}

void
skip_allocators(struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++) {
		struct model_row *r = &m->rows[i];

		while (r->stack != 0 && is_allocator(m, r->function) &&
		    !model_is_cut(m->stacks.frames[r->stack].module))
			move_to_caller(r, &m->stacks.frames[r->stack]);
		skip_inlined(m, r);
	}
}

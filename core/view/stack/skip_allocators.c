/*
 * Context: O.  Attributes allocations to the callers of functions that only
 * request memory for others, for prof, the prof device and the summary of the
 * heap; see skip_allocators.h.
 */
#include "stack/skip_allocators.h"

#include "symbol/allocator_name.h"

/* Returns whether the function only requests memory for its caller. */
static bool
is_allocator(const struct model *m, uint32_t function)
{
	enum allocator_name kind;

	if (function == MODEL_NONE)
		return false;
	kind = allocator_name_find(m->functions[function].name);
	return kind == ALLOCATOR_NAME_REQUEST || kind == ALLOCATOR_NAME_COPY;
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

/*
 * Sets *r to the first place outwards that has a function of no library.
 * Returns false if there is none.
 */
static bool
find_outside(const struct model *m, const bool *library, struct model_row *r)
{
	for (;;) {
		const uint32_t stack = r->stack;

		while (r->scopes > 1 &&
		    library[m->scopes[r->scope].function]) {
			r->scope++;
			r->scopes--;
		}
		if (r->scopes > 1 || !library[r->function])
			return true;
		if (stack == 0 || model_is_cut(m->stacks.frames[stack].module))
			return false;
		move_to_caller(r, &m->stacks.frames[stack]);
	}
}

void
skip_allocators_libraries(struct model *m, const bool *library)
{
	for (size_t i = 0; i < m->row_count; i++) {
		struct model_row outside = m->rows[i];

		if (!model_is_caller(outside.kind) && find_outside(m, library,
		    &outside))
			m->rows[i] = outside;
	}
}

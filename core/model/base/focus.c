/*
 * Context: O.  Selects stacks by the functions in them, for call trees and
 * exports; see focus.h.  Each function and each frame gets marks, and a frame
 * has the marks of its callers, too.
 */
#include "base/focus.h"

#include <errno.h>
#include <stdlib.h>

enum { IN_FOCUS = 1, IGNORED = 2 };

/*
 * Returns whether the filter is on and matches the short or the full name of
 * the function.
 */
static bool
matches_function(struct model *m, uint32_t function, enum filter_kind what)
{
	const char *name = model_function_name(m, function);
	const char *full = model_function_full_name(m, function);

	return filter_is_on(m->filter, what) &&
	    ((name != NULL && filter_match_text(m->filter, what, name)) ||
	    (full != NULL && filter_match_text(m->filter, what, full)));
}

/* Marks every function.  Without FILTER_FOCUS all functions are in focus. */
static void
mark_functions(struct focus *f, struct model *m)
{
	const bool any = !filter_is_on(m->filter, FILTER_FOCUS);

	for (uint32_t i = 0; i < m->function_count; i++)
		f->functions[i] = (any || matches_function(m, i, FILTER_FOCUS) ?
		    IN_FOCUS : 0) | (matches_function(m, i, FILTER_IGNORE) ?
		    IGNORED : 0);
}

/* Returns the marks of the functions in a range of scopes. */
static unsigned
inlined_marks(const struct focus *f, const struct model *m, uint32_t scope,
    uint32_t scopes)
{
	unsigned found = 0;

	while (scopes-- > 0)
		found |= f->functions[m->scopes[scope++].function];
	return found;
}

/*
 * Marks every frame.  The indexes ascend from a caller to the frames that it
 * called, so its marks are known.
 */
static void
mark_frames(struct focus *f, const struct model *m)
{
	for (size_t i = 1; i < m->stacks.count; i++) {
		const struct stack_frame *frame = &m->stacks.frames[i];

		f->frames[i] = (unsigned char)(f->frames[frame->caller] |
		    f->functions[frame->function] |
		    inlined_marks(f, m, frame->scope, frame->scopes));
	}
}

int
focus_make(struct focus *f, struct model *m)
{
	f->functions = calloc(m->function_count + 1, sizeof(*f->functions));
	f->frames = calloc(m->stacks.count + 1, sizeof(*f->frames));
	if (f->functions == NULL || f->frames == NULL)
		return -ENOMEM;
	mark_functions(f, m);
	mark_frames(f, m);
	return 0;
}

void
focus_free(struct focus *f)
{
	free(f->functions);
	free(f->frames);
}

/* Returns the marks of a row's functions and of its callers. */
static unsigned
row_marks(const struct focus *f, const struct model *m,
    const struct model_row *r)
{
	return f->frames[r->stack] | f->functions[r->function] |
	    inlined_marks(f, m, r->scope, r->scopes);
}

int
focus_keep(struct model *m)
{
	struct focus f;
	int ret;

	if (m->focus_marks != NULL)
		return 0;
	ret = focus_make(&f, m);
	m->focus_marks = calloc(m->row_count + 1, sizeof(*m->focus_marks));
	if (m->focus_marks == NULL)
		ret = -ENOMEM;
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		m->focus_marks[i] = (unsigned char)row_marks(&f, m,
		    &m->rows[i]);
	focus_free(&f);
	if (ret != 0) {
		free(m->focus_marks);
		m->focus_marks = NULL;
	}
	return ret;
}

bool
focus_matches(const struct focus *f, struct model *m, const struct model_row *r)
{
	/* Kept marks are by the index of the row. */
	const unsigned found = m->focus_marks != NULL ?
	    m->focus_marks[r - m->rows] : row_marks(f, m, r);

	m->met[FILTER_FOCUS] |= (found & IN_FOCUS) != 0;
	m->met[FILTER_IGNORE] |= (found & IGNORED) != 0;
	return found == IN_FOCUS;
}

/*
 * Context: O.  Adds up time by callers, for alloc_finding.c and lock_finding.c;
 * see caller_sums.h.
 */
#include "findings/caller_sums.h"

#include "base/library_code.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Adds a row, if it is in such a function or below one.  found: by frame, the
 * innermost frame from it outwards with such a function, or 0.
 */
static void
add_row(struct caller_sums *s, const struct model *m, const uint32_t *found,
    frame_search_test *test, const struct model_row *r)
{
	const struct stack_frame *frames = m->stacks.frames;
	uint32_t caller = r->stack;

	if (r->function == MODEL_NONE || !test(m, r->function)) {
		if (found[caller] == 0)
			return;
		caller = frames[found[caller]].caller;
	}
	caller = library_code_caller(m, caller);
	finding_sum_row(&s->all, r);
	if (caller != 0)
		finding_sum_row(&s->callers[frames[caller].function], r);
}

int
caller_sums_make(struct caller_sums *s, const struct model *m,
    frame_search_test *test, caller_sums_filter *filter)
{
	uint32_t *found = frame_search_innermost(m, test);
	int ret = 0;

	*s = (struct caller_sums) {
		.callers = calloc(m->function_count + 1, sizeof(*s->callers)),
	};
	if (s->callers == NULL || (found == NULL && m->stacks.count != 0))
		ret = -ENOMEM;
	for (size_t i = 0; i < m->row_count && ret == 0 && found != NULL; i++)
		if (filter(&m->rows[i]))
			add_row(s, m, found, test, &m->rows[i]);
	free(found);
	return ret;
}

void
caller_sums_free(struct caller_sums *s)
{
	free(s->callers);
	s->callers = NULL;
}

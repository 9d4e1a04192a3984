/*
 * Context: O.  Finds frames of a kind on all stacks, for caller_sums.c and
 * python_finding.c; see frame_search.h.
 */
#include "findings/frame_search.h"

#include <stdlib.h>

/*
 * Returns the results of a test, by function: each is tested once.  The caller
 * frees them; NULL if memory is out.
 */
static bool *
test_functions(const struct model *m, frame_search_test *test)
{
	bool *passes = calloc(m->function_count + 1, sizeof(*passes));

	for (uint32_t i = 0; i < m->function_count && passes != NULL; i++)
		passes[i] = test(m, i);
	return passes;
}

uint32_t *
frame_search_innermost(const struct model *m, frame_search_test *test)
{
	uint32_t *found = m->stacks.count == 0 ? NULL :
	    calloc(m->stacks.count, sizeof(*found));
	bool *passes = found == NULL ? NULL : test_functions(m, test);

	if (passes == NULL) {
		free(found);
		return NULL;
	}
	/* A caller has a lower number than the frames that it called. */
	for (uint32_t i = 1; i < m->stacks.count; i++) {
		const struct stack_frame *f = &m->stacks.frames[i];

		found[i] = f->function != MODEL_NONE && passes[f->function] ?
		    i : found[f->caller];
	}
	free(passes);
	return found;
}

/*
 * Context: O.  Says which data of the profiles a report needs, for report.c and
 * prof_model.c; see report_keep.h.
 */
#include "prof/report_keep.h"

#include "export.h"

bool
report_has_inclusive_times(const struct prof_options *s)
{
	return s->view == VIEW_TABLE && s->group.by == 1u << GROUP_FUNCTION &&
	    s->form == DATA_TABLE_NONE && s->write == EXPORT_NONE && !s->heap;
}

/*
 * Asks for source lines only where they are shown: reading debug information
 * takes time.
 */
unsigned
report_keep(const struct prof_options *s)
{
	const bool views = s->view != VIEW_TABLE;
	const bool stacks = views || export_has_stacks(s->write);
	/* Inlined functions may have the name that was asked for. */
	const bool lines = stacks || s->mine != NULL ||
	    filter_is_on(&s->filter, FILTER_FUNCTION);

	return group_keep(s->group.by) | export_keep(s->write) |
	    (report_has_inclusive_times(s) ? MODEL_KEEP_STACKS : 0) |
	    (s->heap ? MODEL_KEEP_HEAP | MODEL_KEEP_STACKS : 0) |
	    (s->view == VIEW_GROWTH || s->write == EXPORT_MASSIF ?
	    MODEL_NEED_POINTS : 0) |
	    (s->view == VIEW_GRAPH && !s->heap ? MODEL_KEEP_ARCS : 0) |
	    (views || s->mine != NULL ? MODEL_KEEP_STACKS : 0) |
	    (lines && !s->no_inline ? MODEL_KEEP_LINES : 0);
}

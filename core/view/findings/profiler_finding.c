/*
 * Context: O.  Finds the time that libmon.so itself took in calls of the
 * program, most of which counts allocations.  findings.c calls
 * finding_add_profiler(); see finding_kinds.h.
 */
#include "findings/finding_kinds.h"

#include <errno.h>

int
finding_add_profiler(struct finding_list *l)
{
	const struct model *m = l->model;
	struct finding_sum sum = { 0 };
	struct finding_text t;

	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if ((m->modules[r->module].flags & FORMAT_M_OURS) != 0 &&
		    model_is_cpu(r->kind) && !model_is_caller(r->kind))
			finding_sum_row(&sum, r);
	}
	if (!finding_is_sure(l, sum))
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs(m->heap_files != 0 ?
	    "libmon.so, as it counts each allocation: a run without --heap "
	    "has the program's own shares" :
	    "libmon.so itself: a run with a lower rate has the program's own "
	    "shares", t.out);
	return finding_add(l, sum, false, &t, m->heap_files != 0 ?
	    "prof record without --heap, or with --set=heap=512k, which counts "
	    "one allocation in 512 KiB" :
	    "prof record --hz=N asks for fewer samples");
}

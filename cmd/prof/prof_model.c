/*
 * Context: O.  Reads profiles into a model, and writes the file of --write, for
 * prof_report.c and prof_diff.c; see prof_model.h.
 */
#include "prof/prof_model.h"

#include "base/negative_time.h"
#include "derive/charge_callers.h"
#include "names/filter_names.h"
#include "names/profiler_functions.h"
#include "names/symbolize.h"
#include "prof/report_keep.h"
#include "prof/report_missing.h"
#include "read/read_inputs.h"
#include "sleep/sleep_cause.h"
#include "stack/skip_allocators.h"

#include <errno.h>
#include <string.h>

int
prof_model_write(struct prof_state *p, struct model *const m[2])
{
	struct fault f = { 0 };

	if (report_missing_heap(&p->set, m[1], prof_state_on_fault, p) ||
	    report_missing_sleep(&p->set, m[1], prof_state_on_fault, p) ||
	    (m[0] != NULL &&
	    report_missing_heap(&p->set, m[0], prof_state_on_fault, p)))
		return -ESRCH;
	if (export_write(m[1], m[0], p->set.per_work ? p->set.work : NULL,
	    p->set.write, p->set.output, &f) == 0) {
		if (m[0] != NULL)
			report_missing_names_all(&p->set, m, 2,
			    prof_state_on_fault, p);
		else if (export_has_stacks(p->set.write))
			report_missing_names(&p->set, m[1],
			    prof_state_on_fault, p);
		return 0;
	}
	prof_state_report(p, &f);
	return -ESRCH;
}

void
prof_model_report_below_zero(struct prof_state *p, struct model *m)
{
	char text[80];
	struct fault f;

	if (m->below_count == 0)
		return;
	snprintf(text, sizeof(text), "%zu %s a difference %s below zero, and "
	    "left out", m->below_count, m->below_count == 1 ? "place of" :
	    "places of", m->below_count == 1 ? "is" : "are");
	fault_set(&f, model_intern(m, text, strlen(text)), FAULT_NO_OFFSET, 0);
	if (f.what != NULL)
		prof_state_report(p, &f);
}

/* Charges libraries to their callers.  Reports a module that is not there. */
static int
charge_libraries(struct prof_state *p, struct model *m)
{
	char name[CHARGE_CALLERS_NAME];
	struct fault f;

	if (charge_callers_unknown(m, p->set.mine, name)) {
		fault_set(&f, "no module of that name is in the profiles",
		    FAULT_NO_OFFSET, 0);
		f.file = model_intern(m, name, strlen(name));
		f.remedy = "prof --by=module lists them";
		prof_state_report(p, &f);
	}
	return sleep_cause_keep(m) != 0 ? -ENOMEM :
	    charge_callers(m, p->set.mine);
}

int
prof_model_read(struct prof_state *p, struct model *m, struct input *in)
{
	int ret = model_init(m, &p->set.filter, report_keep(&p->set),
	    p->set.demangle);

	m->signs = true;
	clock_gettime(CLOCK_MONOTONIC, &p->started);
	in->read = p->set.read;
	in->choice = p->set.choice;
	if (ret == 0)
		ret = read_inputs(m, in, prof_state_on_fault,
		    prof_state_on_progress, p);
	if (ret == 0)
		ret = symbolize_all(m, prof_state_on_progress, p);
	if (ret == 0)
		filter_names_loosen(&p->set.filter, m);
	if (ret == 0 && (p->set.write != EXPORT_NONE || p->set.old != NULL ||
	    p->set.view == VIEW_ANNOTATE))
		ret = negative_time_net(m);
	if (ret == 0 && p->set.heap) {
		skip_allocators(m);
		model_heap_set_metric(m, p->set.any_measure &&
		    !model_heap_has_blocks(m) ? METRIC_MAPPED_PEAK :
		    p->set.measure);
	}
	if (ret == 0 && !p->set.all_frames && !p->set.verbose &&
	    p->set.form == DATA_TABLE_NONE && (p->set.write == EXPORT_NONE ||
	    p->set.write == EXPORT_HTML))
		ret = profiler_functions_merge(m);
	if (ret == 0 && p->set.mine != NULL)
		ret = charge_libraries(p, m);
	prof_state_hide_progress(p);
	if (ret != 0 || m->files != 0)
		return ret;
	/* With --live a selected process may still be to come. */
	if (m->files_other == 0 || p->live != NULL)
		return -ENODATA;
	report_missing_names(&p->set, m, prof_state_on_fault, p);
	return -ESRCH;
}

/*
 * Context: O.  Reads profiles and makes one report of them; see prof_report.h.
 */
#include "prof/prof_report.h"

#include "base/negative_time.h"
#include "names/symbolize.h"
#include "prof/prof_input.h"
#include "prof/report.h"
#include "prof/report_missing.h"
#include "read/read_inputs.h"
#include "stack/skip_allocators.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/*
 * Writes the file of --write, from both models or from m[1] alone (m[0] NULL).
 * Returns 0, or -ESRCH after reporting why not.
 */
static int
write_files(struct prof_state *p, struct model *const m[2])
{
	struct fault f = { 0 };

	if (report_missing_heap(&p->set, m[1], prof_state_on_fault, p) ||
	    (m[0] != NULL &&
	    report_missing_heap(&p->set, m[0], prof_state_on_fault, p)))
		return -ESRCH;
	if (export_write(m[1], m[0], p->set.write, p->set.output, &f) == 0) {
		if (m[0] != NULL)
			report_missing_names_both(&p->set, m,
			    prof_state_on_fault, p);
		else if (export_has_stacks(p->set.write))
			report_missing_names(&p->set, m[1],
			    prof_state_on_fault, p);
		return 0;
	}
	prof_state_report(p, &f);
	return -ESRCH;
}

/*
 * Reports what a view of the parts of a whole omits: values of a difference
 * that are below zero.
 */
static void
report_below_zero(struct prof_state *p, struct model *m)
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

/*
 * Reads all inputs into *m, which the caller frees in any case.  Returns as
 * prof_report_make().
 */
static int
read_model(struct prof_state *p, struct model *m, struct input *in)
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
	if (ret == 0 && (p->set.write != EXPORT_NONE || p->set.old != NULL ||
	    p->set.show == VIEW_ANNOTATE))
		ret = negative_time_net(m);
	if (ret == 0 && p->set.heap) {
		skip_allocators(m);
		model_heap_set_metric(m, p->set.any_measure &&
		    !model_heap_has_blocks(m) ? METRIC_MAPPED_PEAK :
		    p->set.measure);
	}
	prof_state_hide_progress(p);
	if (ret != 0 || m->files != 0)
		return ret;
	/* With --live a selected process may still be to come. */
	if (m->files_other == 0 || p->live != NULL)
		return -ENODATA;
	report_missing_names(&p->set, m, prof_state_on_fault, p);
	return -ESRCH;
}

/*
 * Makes both models use one metric.  Without a metric on the command line they
 * differ if one of them has mappings alone: then both show mappings.
 */
static void
use_common_measure(struct model *const m[2])
{
	if (m[0]->measure == m[1]->measure)
		return;
	for (size_t i = 0; i < 2; i++)
		model_heap_set_metric(m[i], METRIC_MAPPED_PEAK);
}

/*
 * Compares with the profile that --diff names.  Returns as prof_report_make().
 */
static int
compare_profiles(struct prof_state *p, struct model *now, FILE *out)
{
	struct model old;
	struct model *const both[2] = { &old, now };
	const bool page = p->set.write != EXPORT_NONE;
	struct input in = { 0 };
	struct fault f = { 0 };
	int ret;

	if (input_add(&in, p->set.old, &f) != 0)
		prof_state_report(p, &f);
	ret = read_model(p, &old, &in);
	if (ret == -ENODATA) {
		prof_input_report_none(p, &p->set.old, 1);
		ret = -ESRCH;
	}
	if (ret == 0 && p->set.heap)
		use_common_measure(both);
	if (ret == 0)
		ret = page ? write_files(p, both) :
		    report_diff(&p->set, both, out, prof_state_on_fault, p);
	report_below_zero(p, &old);
	model_free(&old);
	input_free(&in);
	return ret;
}

int
prof_report_make(struct prof_state *p, struct input *in, FILE *out)
{
	struct model m;
	struct model *const alone[2] = { NULL, &m };
	int ret;

	p->terminal = isatty(STDERR_FILENO) && !p->set.live;
	ret = read_model(p, &m, in);
	p->running = false;
	for (size_t i = 0; i < m.process_count; i++)
		p->running |= m.processes[i].life == MODEL_RUNNING;
	if (ret == 0)
		ret = p->set.old != NULL ? compare_profiles(p, &m, out) :
		    p->set.write != EXPORT_NONE ? write_files(p, alone) :
		    report_show(&p->set, &m, out, prof_state_on_fault, p);
	report_below_zero(p, &m);
	model_free(&m);
	return ret;
}

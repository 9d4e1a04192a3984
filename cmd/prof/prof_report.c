/*
 * Context: O.  Reads profiles and makes one report of them, for run_prof() and
 * the loop of --live in prof.c; see prof_report.h.
 */
#include "prof/prof_report.h"

#include "prof/option_conflicts.h"
#include "prof/prof_diff.h"
#include "prof/prof_model.h"
#include "prof/report.h"
#include "prof/report_missing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *
last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/*
 * Returns whether the user named a program alone, and the newest run is of
 * others.  Reports it if so.
 */
static bool
is_of_other_programs(struct prof_state *p, const struct input *in,
    const struct model *m)
{
	struct fault f;

	if (in->program_count == 0 || m->files_foreign != 0 || in->count == 0 ||
	    in->files[0].named)
		return false;
	for (size_t i = 0; i < in->program_count; i++) {
		char *real = realpath(in->programs[i], NULL);
		const char *name = last_component(real != NULL ? real :
		    in->programs[i]);
		size_t n = 0;

		while (n < m->process_count &&
		    strcmp(m->processes[n].program, name) != 0)
			n++;
		free(real);
		if (n != m->process_count)
			return false;
	}
	fault_set(&f, "is a program, and the newest profile here is not of it",
	    FAULT_NO_OFFSET, 0);
	f.file = in->programs[0];
	f.remedy = "prof record PROGRAM runs and records it";
	prof_state_report(p, &f);
	return true;
}

/*
 * Returns whether the profiles hold allocations alone and the user asked for a
 * report without saying of what.
 */
static bool
holds_heap_alone(const struct prof_options *s, const struct model *m)
{
	return m->heap_files != 0 && m->row_count == 0 && !s->heap &&
	    !s->live && s->form == DATA_TABLE_NONE &&
	    (s->write == EXPORT_NONE || s->write == EXPORT_HTML) &&
	    s->old == NULL;
}

/*
 * Reports that an option does not go with --heap, for the reason `why`.
 * Returns -ESRCH.
 */
static int
refuse_heap(struct prof_state *p, const char *why)
{
	struct fault f;

	fault_set(&f, "the files have allocations alone, which --heap shows",
	    FAULT_NO_OFFSET, 0);
	f.remedy = p->set.filter.asleep ?
	    "prof record --wall records time asleep" : why;
	prof_state_report(p, &f);
	return -ESRCH;
}

/*
 * Adds --heap to the options, or --heap=summary if no view and no file was
 * asked for, frees *m, and reads the profiles into it once more.  Returns as
 * prof_model_read(), or -ESRCH, with the fault reported, if an option does not
 * go with --heap.
 */
static int
read_heap_model(struct prof_state *p, struct model *m, struct input *in)
{
	struct prof_options asked;
	const char *why;

	p->set.heap = p->set.any_measure = true;
	p->set.measure = METRIC_PEAK;
	if (!p->set.table_option_given && p->set.write == EXPORT_NONE)
		p->set.view = VIEW_SUMMARY;
	/* prof_options_parse() has added the default to what was asked for. */
	asked = p->set;
	asked.group.by &= ~(1u << GROUP_FUNCTION);
	why = option_conflicts_find(&asked, in->count);
	if (why != NULL)
		return refuse_heap(p, why);
	model_free(m);
	return prof_model_read(p, m, in);
}

/*
 * Reads into *heap the allocations of profiles whose time has been read, for
 * the same page.  Their faults were reported at the first reading.  The caller
 * frees *heap.  Returns as prof_model_read(), or -ENODATA if there are none.
 */
static int
read_heap_beside(struct prof_state *p, struct model *heap, struct input *in)
{
	const bool any = p->set.any_measure;
	const enum metric measure = p->set.measure;
	int ret;

	p->again = p->set.heap = p->set.any_measure = true;
	p->set.measure = METRIC_PEAK;
	ret = prof_model_read(p, heap, in);
	p->again = p->set.heap = false;
	p->set.any_measure = any;
	p->set.measure = measure;
	return ret != 0 ? ret : heap->row_count == 0 ? -ENODATA : 0;
}

/*
 * Writes the file of --write from *m.  The page of profiles with time and
 * allocations has both.  Returns as prof_report_make().
 */
static int
write_one(struct prof_state *p, struct model *m, struct input *in)
{
	struct model *const alone[2] = { NULL, m };
	struct model heap;
	struct fault f = { 0 };
	int ret;

	if (p->set.write != EXPORT_HTML || p->set.heap || m->heap_files == 0 ||
	    report_missing_sleep(&p->set, m, prof_state_on_fault, p))
		return prof_model_write(p, alone);
	ret = read_heap_beside(p, &heap, in);
	if (ret == 0 && export_write_page(m, &heap, p->set.output, &f) != 0) {
		prof_state_report(p, &f);
		ret = -ESRCH;
	} else if (ret == 0) {
		report_missing_names(&p->set, m, prof_state_on_fault, p);
	} else if (ret == -ENODATA || ret == -ESRCH) {
		ret = prof_model_write(p, alone);
	}
	model_free(&heap);
	return ret;
}

/* Says where a page is whose name the user did not give. */
static void
say_page(const struct prof_options *s)
{
	if (s->write == EXPORT_HTML &&
	    strcmp(s->output, EXPORT_PAGE) == 0)
		fputs("prof: the page is " EXPORT_PAGE "\n", stderr);
}

int
prof_report_make(struct prof_state *p, struct input *in, FILE *out)
{
	struct model m;
	int ret;

	p->terminal = isatty(STDERR_FILENO) && !p->set.live;
	ret = prof_model_read(p, &m, in);
	if (ret == 0 && is_of_other_programs(p, in, &m))
		ret = -ESRCH;
	if (ret == 0 && holds_heap_alone(&p->set, &m))
		ret = read_heap_model(p, &m, in);
	p->running = false;
	for (size_t i = 0; i < m.process_count; i++)
		p->running |= m.processes[i].life == MODEL_RUNNING;
	if (ret == 0)
		ret = p->set.old != NULL ? prof_diff_make(p, &m, out) :
		    p->set.write != EXPORT_NONE ? write_one(p, &m, in) :
		    report_show(&p->set, &m, out, p->live != NULL &&
		    p->running ? &p->live->before : NULL, prof_state_on_fault,
		    p);
	if (ret == 0)
		say_page(&p->set);
	prof_model_report_below_zero(p, &m);
	model_free(&m);
	return ret;
}

/*
 * Context: O.  prof(1): shows where the time of profiled programs went.  This
 * file has main(); it reads the input and makes reports.
 */
#include "base/negative_time.h"
#include "base/term.h"
#include "common/print_fault.h"
#include "common/std_fds.h"
#include "control/prof_control.h"
#include "defaults_file.h"
#include "input.h"
#include "names/symbolize.h"
#include "output.h"
#include "prof/classic_main.h"
#include "prof/live.h"
#include "prof/per_file.h"
#include "prof/prof_options.h"
#include "prof/report.h"
#include "read/read_inputs.h"
#include "stack/skip_allocators.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_GOOD = 0, EXIT_DATA = 1, EXIT_WRONG_USE = 2 };

/* State of the command. */
struct prof {
	struct prof_options set;
	int status;
	bool terminal;		/* standard error is a terminal */
	bool shown;		/* a line of progress is on the terminal */
	struct timespec started;
	struct timespec last;
	bool running;		/* one of the processes still runs */
	struct live *live;	/* NULL without --live */
};

static void
report_fault(struct prof *p, const struct fault *f)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
	p->status = EXIT_DATA;
	if (p->live == NULL || !live_has_reported(p->live, f))
		print_fault(f);
}

static void
on_prof_fault(void *arg, const struct fault *f)
{
	report_fault(arg, f);
}

static double
seconds_since(const struct timespec *then, const struct timespec *now)
{
	return (double)(now->tv_sec - then->tv_sec) +
	    (double)(now->tv_nsec - then->tv_nsec) / 1e9;
}

/* Shows progress: on a terminal, if reading takes more than a second. */
static void
on_progress(void *arg, size_t done, size_t all, const char *what)
{
	const struct term on_stderr = { .out = stderr };
	struct prof *p = arg;
	struct timespec now;

	if (!p->terminal)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds_since(&p->started, &now) < 1 ||
	    seconds_since(&p->last, &now) < 0.1)
		return;
	fprintf(stderr, "\r\033[Kprof: %zu of %zu: ", done, all);
	term_text(&on_stderr, what, 40);
	p->last = now;
	p->shown = true;
}

static void
find_input(struct prof *p, struct input *in, const char **names, size_t count)
{
	struct fault f = { 0 };

	for (size_t i = 0; i < count; i++)
		if (input_add(in, names[i], &f) != 0)
			report_fault(p, &f);
	/* A program alone does not say where its profile is. */
	if (in->program_count == count && input_add_default(in, &f) != 0)
		report_fault(p, &f);
}

static bool
has_stop_default(const char *directory)
{
	struct format_defaults o;
	struct fault f;

	return defaults_file_read(directory, &o, &f) == 0 &&
	    (o.what & FORMAT_D_STATE) != 0 && o.stop != 0;
}

/*
 * Reports that no profile was found, unless a file that cannot be read was
 * reported.
 */
static void
report_no_profile(struct prof *p, const char **names, size_t count)
{
	const char *directory = input_profdir();
	struct fault f;

	if (p->status != EXIT_GOOD)
		return;
	if (count == 0 && directory != NULL) {
		names = &directory;
		count = 1;
	}
	if (count == 0) {
		fault_set(&f, "no profile found", FAULT_NO_OFFSET, 0);
		f.remedy = "run the program with LD_PRELOAD=libmon.so, or "
		    "name a file";
		report_fault(p, &f);
	}
	for (size_t i = 0; i < count; i++) {
		fault_set(&f, "no profile in it", FAULT_NO_OFFSET, 0);
		f.file = names[i];
		f.remedy = has_stop_default(names[i]) ? "processes there are "
		    "told to count nothing: --control DIRECTORY start" :
		    "a process that counted nothing leaves none";
		report_fault(p, &f);
	}
}

/*
 * Writes the file of --write, from both models or from m[1] alone (m[0] NULL).
 * Returns 0, or -ESRCH after reporting why not.
 */
static int
write_files(struct prof *p, struct model *const m[2])
{
	struct fault f = { 0 };

	if (!report_has_heap(&p->set, m[1], on_prof_fault, p) ||
	    (m[0] != NULL && !report_has_heap(&p->set, m[0], on_prof_fault, p)))
		return -ESRCH;
	if (export_write(m[1], m[0], p->set.write, p->set.output, &f) == 0) {
		if (m[0] != NULL)
			report_unmatched_both(&p->set, m, on_prof_fault, p);
		else if (export_has_stacks(p->set.write))
			report_unmatched(&p->set, m[1], on_prof_fault, p);
		return 0;
	}
	report_fault(p, &f);
	return -ESRCH;
}

/*
 * Reports what a view of the parts of a whole omits: values of a difference
 * that are below zero.
 */
static void
report_below_zero(struct prof *p, struct model *m)
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
		report_fault(p, &f);
}

/*
 * Reads all inputs into *m, which the caller frees in any case.  Returns as
 * make_report().
 */
static int
read_model(struct prof *p, struct model *m, struct input *in)
{
	int ret = model_init(m, &p->set.filter, report_keep(&p->set),
	    p->set.demangle);

	m->signs = true;
	clock_gettime(CLOCK_MONOTONIC, &p->started);
	in->read = p->set.read;
	in->choice = p->set.choice;
	if (ret == 0)
		ret = read_inputs(m, in, on_prof_fault, on_progress, p);
	if (ret == 0)
		ret = symbolize_all(m, on_progress, p);
	if (ret == 0 && (p->set.write != EXPORT_NONE || p->set.old != NULL ||
	    p->set.show == VIEW_ANNOTATE))
		ret = negative_time_net(m);
	if (ret == 0 && p->set.heap) {
		skip_allocators(m);
		model_heap_set_metric(m, p->set.any_measure &&
		    !model_heap_has_blocks(m) ? METRIC_MAPPED_PEAK :
		    p->set.measure);
	}
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
	if (ret != 0 || m->files != 0)
		return ret;
	/* With --live a selected process may still be to come. */
	if (m->files_other == 0 || p->live != NULL)
		return -ENODATA;
	report_unmatched(&p->set, m, on_prof_fault, p);
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

/* Compares with the profile that --diff names.  Returns as make_report(). */
static int
compare_profiles(struct prof *p, struct model *now, FILE *out)
{
	struct model old;
	struct model *const both[2] = { &old, now };
	const bool page = p->set.write != EXPORT_NONE;
	struct input in = { 0 };
	struct fault f = { 0 };
	int ret;

	if (input_add(&in, p->set.old, &f) != 0)
		report_fault(p, &f);
	ret = read_model(p, &old, &in);
	if (ret == -ENODATA) {
		report_no_profile(p, &p->set.old, 1);
		ret = -ESRCH;
	}
	if (ret == 0 && p->set.heap)
		use_common_measure(both);
	if (ret == 0)
		ret = page ? write_files(p, both) :
		    report_diff(&p->set, both, out, on_prof_fault, p);
	report_below_zero(p, &old);
	model_free(&old);
	input_free(&in);
	return ret;
}

/*
 * Makes the report.  Returns 0; -ENODATA if there is nothing to show; -ESRCH if
 * there is nothing to show and the reason was reported; or -ENOMEM.
 */
static int
make_report(struct prof *p, struct input *in, FILE *out)
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
		    report_show(&p->set, &m, out, on_prof_fault, p);
	report_below_zero(p, &m);
	model_free(&m);
	return ret;
}

/* Makes reports until none of the processes runs.  Returns as make_report(). */
static int
repeat_report(struct prof *p, const char **names, size_t count)
{
	int ret;

	if (p->set.group.top == 0)
		p->set.group.top = live_lines(p->live);
	for (;;) {
		struct input in = { 0 };
		FILE *out = live_begin(p->live);

		p->status = EXIT_GOOD;
		find_input(p, &in, names, count);
		ret = out == NULL ? -ENOMEM : make_report(p, &in, out);
		input_free(&in);
		/* A process that has counted nothing has no file yet. */
		if (ret == -ENODATA && p->status == EXIT_GOOD) {
			fputs("nothing has been counted yet\n", out);
			p->running = true;
			ret = 0;
		}
		if (out != NULL && !live_show(p->live,
		    !p->running || ret != 0) && ret == 0)
			ret = -EIO;
		if (ret != 0 || !p->running)
			return ret;
		live_wait(p->live);
	}
}

/* Runs --live. */
static int
run_live_report(struct prof *p, const char **names, size_t count)
{
	struct live l;
	int ret;

	live_init(&l);
	p->live = &l;
	ret = repeat_report(p, names, count);
	p->live = NULL;
	live_free(&l);
	return ret;
}

static void
report_no_memory(struct prof *p, int ret)
{
	struct fault f;

	if (ret != -ENOMEM || p->status != EXIT_GOOD)
		return;
	fault_set(&f, "out of memory", FAULT_NO_OFFSET, 0);
	report_fault(p, &f);
}

static void
run_prof(struct prof *p, const char **names, size_t count)
{
	struct input in = { 0 };
	const struct per_file each = { &p->set, &in, on_prof_fault, p };
	struct output o;
	struct fault f = { 0 };
	int ret = 0;

	if (!p->set.live)
		find_input(p, &in, names, count);
	if (output_open(&o, p->set.write || p->set.embed ? NULL :
	    p->set.output, &f) != 0) {
		report_fault(p, &f);
		input_free(&in);
		return;
	}
	if (p->set.check || p->set.info)
		ret = per_file_print(&each, o.out) == 0 ? -ENODATA : 0;
	else if (p->set.embed)
		ret = per_file_embed(&each) == 0 ? -ENODATA : 0;
	else if (p->set.live)
		ret = run_live_report(p, names, count);
	else
		ret = make_report(p, &in, o.out);
	if (ret == -ENODATA)
		report_no_profile(p, names, count);
	report_no_memory(p, ret);
	if (ret != 0)
		output_abandon(&o);
	else if (output_close(&o, &f) != 0)
		report_fault(p, &f);
	input_free(&in);
}

static void
run_control(struct prof *p, const char **names, size_t count)
{
	int ret = prof_control_run(names, count, p->set.output, p->set.form,
	    on_prof_fault, p);

	if (ret == -EINVAL)
		p->status = EXIT_WRONG_USE;
	report_no_memory(p, ret);
}

static int
reject_classic_options(const char *file)
{
	struct fault f;

	if (access(file, R_OK) != 0) {
		fault_set(&f, "cannot be opened", FAULT_NO_OFFSET, errno);
		f.remedy = "prof --help tells more";
	} else {
		fault_set(&f, "no profile of the classic prof, whose options "
		    "these are", FAULT_NO_OFFSET, 0);
		f.remedy = "use prof --classic to list any as that did, or "
		    "see prof --help";
	}
	f.file = file;
	print_fault(&f);
	return f.errnum != 0 ? EXIT_DATA : EXIT_WRONG_USE;
}

int
main(int argc, char **argv)
{
	const char **given = (const char **)argv + 1;
	struct prof p = { .status = EXIT_GOOD };
	struct output shown = { .out = stdout };
	enum classic_main_match meant;
	const char *file;
	struct fault f;
	size_t count;
	int ret;

	std_fds_open();
	output_unlink_on_signal();
	meant = classic_main_match(argc, argv, &file);
	if (meant == CLASSIC_MAIN_YES)
		return classic_main(argc, argv);
	if (meant == CLASSIC_MAIN_OTHER_FILE)
		return reject_classic_options(file);
	ret = prof_options_parse(&p.set, given, &count);
	if (ret == 0)
		(p.set.control ? run_control : run_prof)(&p, given, count);
	prof_options_free(&p.set);
	if (ret == PROF_OPTIONS_SHOWN && output_close(&shown, &f) != 0)
		report_fault(&p, &f);
	return ret < 0 ? EXIT_WRONG_USE : p.status;
}

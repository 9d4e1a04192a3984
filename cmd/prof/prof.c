/*
 * Context: O.  prof(1): shows where the time of profiled programs went.  main()
 * chooses what this call of prof does: prof record, prof doctor, --scan, the
 * classic prof, --control, or a report.  With --live prof repeats the report.
 */
#include "common/print_fault.h"
#include "common/std_fds.h"
#include "control/prof_control.h"
#include "doctor/doctor.h"
#include "output.h"
#include "classic/classic_main.h"
#include "prof/per_file.h"
#include "prof/prof_diff.h"
#include "prof/prof_input.h"
#include "prof/prof_report.h"
#include "prof/prof_words.h"
#include "record/prof_record.h"
#include "scan/scan.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/*
 * Makes reports until none of the processes runs or a report fails.  Returns as
 * prof_report_make(), or -EIO if standard output cannot be written.
 */
static int
repeat_report(struct prof_state *p, const char **names, size_t count)
{
	int ret;

	if (!p->set.top_given)
		p->set.group.top = live_lines(p->live);
	for (;;) {
		struct input in = { 0 };
		FILE *out = live_begin(p->live);

		p->status = EXIT_GOOD;
		prof_input_find(p, &in, names, count);
		ret = out == NULL ? -ENOMEM : prof_report_make(p, &in, out);
		input_free(&in);
		/* A process that has counted nothing has no file yet. */
		if (ret == -ENODATA && p->status == EXIT_GOOD) {
			prof_input_print_empty(out, names, count);
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

/* Runs --live.  Returns as repeat_report(); a failed write is reported. */
static int
run_live_report(struct prof_state *p, const char **names, size_t count)
{
	struct fault f;
	struct live l;
	int ret;

	live_init(&l);
	p->live = &l;
	ret = repeat_report(p, names, count);
	if (ret == -EIO) {
		fault_set(&f, "cannot be written", FAULT_NO_OFFSET, errno);
		f.file = "standard output";
		prof_state_report(p, &f);
	}
	p->live = NULL;
	live_free(&l);
	return ret;
}

/* Reports that memory ran out if `ret` is -ENOMEM and no fault was reported. */
static void
report_no_memory(struct prof_state *p, int ret)
{
	struct fault f;

	if (ret != -ENOMEM || p->status != EXIT_GOOD)
		return;
	fault_set(&f, "out of memory", FAULT_NO_OFFSET, 0);
	prof_state_report(p, &f);
}

/*
 * Splits the names of several runs to compare, "RUN,RUN": the first becomes
 * names[0], the others p->more, which point into *runs.  Does nothing without
 * --diff, or if not exactly one word is given.
 */
static void
split_runs(struct prof_state *p, struct prof_diff_runs *runs,
    const char **names, size_t count)
{
	if (p->set.old == NULL || count != 1)
		return;
	if (prof_diff_split(runs, names[0]) != 0) {
		report_no_memory(p, -ENOMEM);
		return;
	}
	names[0] = runs->names[0];
	p->more = runs->names + 1;
	p->more_count = runs->count - 1;
}

/*
 * Replaces the name "-" among `names` by that of a copy of standard input.
 * Returns 0, or -errno after a report of the fault.
 */
static int
replace_standard_input(struct prof_state *p, const char **names, size_t count)
{
	struct fault f = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], STANDARD_INPUT) != 0)
			continue;
		if (p->standard_input[0] == '\0' &&
		    standard_input_copy(p->standard_input, &f) != 0) {
			prof_state_report(p, &f);
			return -EIO;
		}
		names[i] = p->standard_input;
	}
	return 0;
}

/*
 * Makes standard input a file wherever a file is named: names[0..count), and
 * the runs of --diff.  Returns 0, or -errno after a report of the fault; the
 * copy is no place for the names that --embed keeps.
 */
static int
read_standard_input(struct prof_state *p, const char **names, size_t count)
{
	struct fault f;

	if (replace_standard_input(p, names, count) != 0 ||
	    replace_standard_input(p, p->more, p->more_count) != 0 ||
	    (p->set.old != NULL &&
	    replace_standard_input(p, &p->set.old, 1) != 0))
		return -EIO;
	if (!p->set.embed || p->standard_input[0] == '\0')
		return 0;
	fault_set(&f, "--embed keeps names in a file, and standard input is "
	    "none", FAULT_NO_OFFSET, 0);
	f.file = STANDARD_INPUT;
	f.remedy = "name the file";
	prof_state_report(p, &f);
	p->status = EXIT_WRONG_USE;
	return -EINVAL;
}

/*
 * Makes a report, or treats each file by itself.  Reports faults and sets
 * p->status.  A file of --output is left as it was if that fails.
 */
static void
run_prof(struct prof_state *p, const char **names, size_t count)
{
	struct prof_diff_runs runs = { 0 };
	struct input in = { 0 };
	const struct per_file each = { &p->set, &in, prof_state_on_fault, p };
	struct output o;
	struct fault f = { 0 };
	int ret = 0;

	split_runs(p, &runs, names, count);
	if (read_standard_input(p, names, count) != 0) {
		prof_diff_runs_free(&runs);
		return;
	}
	if (!p->set.live)
		prof_input_find(p, &in, names, count);
	if (output_open(&o, p->set.write || p->set.embed ? NULL :
	    p->set.output, &f) != 0) {
		prof_state_report(p, &f);
		input_free(&in);
		prof_diff_runs_free(&runs);
		return;
	}
	if (p->set.check || p->set.info)
		ret = per_file_print(&each, o.out) == 0 ? -ENODATA : 0;
	else if (p->set.embed)
		ret = per_file_embed(&each) == 0 ? -ENODATA : 0;
	else if (p->set.live)
		ret = run_live_report(p, names, count);
	else
		ret = prof_report_make(p, &in, o.out);
	if (ret == -ENODATA)
		prof_input_report_none(p, names, count);
	report_no_memory(p, ret);
	if (ret != 0)
		output_abandon(&o);
	else if (output_close(&o, &f) != 0)
		prof_state_report(p, &f);
	input_free(&in);
	prof_diff_runs_free(&runs);
}

/*
 * Runs --control.  names: the target, the command and its value.  Sets
 * p->status.
 */
static void
run_control(struct prof_state *p, const char **names, size_t count)
{
	int ret = prof_control_run(names, count, p->set.output, p->set.form,
	    prof_state_on_fault, p);

	if (ret == -EINVAL)
		p->status = EXIT_WRONG_USE;
	report_no_memory(p, ret);
}

/*
 * Reports options of the classic prof whose file is of no classic profiler.
 * Returns the exit status.
 */
static int
reject_classic_options(const char *file)
{
	struct fault f;

	if (access(file, R_OK) != 0) {
		fault_set(&f, "cannot be opened", FAULT_NO_OFFSET, errno);
		f.remedy = "these options are those of the classic prof, "
		    "which reads it; see prof --help";
	} else {
		fault_set(&f, "is no file of a classic profiler, and these "
		    "options are those of the classic prof",
		    FAULT_NO_OFFSET, 0);
		f.remedy = "use prof --classic to list any profile, or see "
		    "prof --help";
	}
	f.file = file;
	print_fault(&f);
	return f.errnum != 0 ? EXIT_DATA : EXIT_WRONG_USE;
}

/*
 * Returns whether the command line begins with this command.  A file of that
 * name can be shown if it is named alone.
 */
static bool
is_command(const char *command, int argc, char **argv)
{
	return argc > 1 && strcmp(argv[1], command) == 0 &&
	    (argc > 2 || access(argv[1], F_OK) != 0);
}

int
main(int argc, char **argv)
{
	const char *help[] = { "--help", NULL };
	const bool asks = prof_words_ask_for_help(argc, argv);
	const char **given = asks ? help : (const char **)argv + 1;
	struct prof_state p = { .status = EXIT_GOOD };
	struct output shown = { .out = stdout };
	enum classic_main_match meant;
	const char *file;
	struct fault f;
	size_t count;
	int ret;

	std_fds_open();
	if (is_command("record", argc, argv))
		return prof_record_run(argv + 2);
	if (is_command("doctor", argc, argv))
		return doctor_run(argv + 2);
	if (argc > 1 && strcmp(argv[1], "--scan") == 0)
		return scan_run(argv + 2);
	output_unlink_on_signal();
	meant = asks ? CLASSIC_MAIN_NO : classic_main_match(argc, argv, &file);
	if (meant == CLASSIC_MAIN_YES)
		return classic_main(argc, argv);
	if (meant == CLASSIC_MAIN_OTHER_FILE)
		return reject_classic_options(file);
	ret = prof_options_parse(&p.set, given, &count);
	if (ret == 0)
		(p.set.control ? run_control : run_prof)(&p, given, count);
	prof_options_free(&p.set);
	if (ret == PROF_OPTIONS_SHOWN && output_close(&shown, &f) != 0)
		prof_state_report(&p, &f);
	return ret < 0 ? EXIT_WRONG_USE : p.status;
}

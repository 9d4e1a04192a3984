/*
 * Context: O.  tprof monitor, called by main() of tprof: parses the options,
 * chooses the backend, and has recording_kernel() or recording_preload() record
 * samples; see recording.h.
 */
#include "tprof/recording.h"

#include "common/print_fault.h"
#include "libmon/preload_check.h"
#include "tprof/tprof_commands.h"
#include "tprof/tprof_output.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

static const struct option_row monitor_options[] = {
	{"event", 'e', "EVENT", TPROF_OPT_EVENT,
	    "sample this event of tprof list, which may have :u,\n:k or :uk "
	    "and ,SCALE behind it; can be repeated"},
	{"output", 'o', "FILE", TPROF_OPT_OUTPUT,
	    "write samples to FILE instead of tprof.out"},
	{"stdout", 'c', NULL, TPROF_OPT_STDOUT,
	    "write samples to standard output, the command's own\noutput to "
	    "standard error"},
	{"backend", 'b', "WHICH", TPROF_OPT_BACKEND,
	    "use kernel, preload, or auto, which chooses one"},
	{"hz", 0, "N", TPROF_OPT_HZ, "take N samples a second of a processor, "
	    "1000"},
	{"stacks", 0, "HOW", TPROF_OPT_STACKS,
	    "find callers: fp, by frame pointers; copy, by tables;\noff, not "
	    "at all"},
	{"tree", 0, NULL, TPROF_OPT_TREE,
	    "sample the command and what it starts alone"},
	{"pid", 'p', "PID,...", TPROF_OPT_PIDS,
	    "sample processes that run already: all their threads,\nand the "
	    "threads and processes that they start from\nthen on"},
	{"seconds", 't', "SECS", TPROF_OPT_SECONDS,
	    "end -p after so many seconds at the latest"},
	{"help", 'h', NULL, TPROF_OPT_HELP, "print this text"},
};

static const struct tprof_command monitor_command = {
	.program = "tprof monitor",
	.usage = "usage: tprof monitor [OPTION...] COMMAND...\n"
	    "       tprof monitor [OPTION...] -p PID,... [-t SECONDS]\n"
	    "Samples while a command runs, or processes that run already.\n",
	.table = monitor_options,
	.rows = sizeof(monitor_options) / sizeof(monitor_options[0]),
	.end = "See tprof(8).\n",
};

/*
 * Checks that the command can be run.  If it cannot, no file is made: an older
 * file of that name would be lost.  Returns 0, or the exit status after
 * reporting the fault.
 */
static int
check_command_runs(const char *command)
{
	const enum preload_check s = preload_check_command(command, NULL, 0);
	struct fault f;

	if (s != PRELOAD_CHECK_NOT_FOUND && s != PRELOAD_CHECK_NOT_RUN)
		return 0;
	fault_set(&f, preload_check_text(s), FAULT_NO_OFFSET, 0);
	f.file = command;
	f.remedy = s == PRELOAD_CHECK_NOT_FOUND ?
	    "name a program, or a command that tprof --help lists" : NULL;
	print_fault(&f);
	return s == PRELOAD_CHECK_NOT_FOUND ? COMMAND_NOT_FOUND :
	    COMMAND_NOT_RUN;
}

/* Returns whether the command can be run with libmon.so.  Reports it if not. */
static bool
can_preload_command(const char *command)
{
	char file[PATH_MAX];
	const enum preload_check s = preload_check_command(command, file,
	    sizeof(file));

	if (s == PRELOAD_CHECK_OK)
		return true;
	fprintf(stderr, "tprof: %s %s: libmon.so cannot be loaded into it, so "
	    "the kernel takes the samples\n", *file != '\0' ? file : command,
	    preload_check_text(s));
	return false;
}

/*
 * Returns whether samples come from libmon.so; otherwise the kernel takes them.
 */
static bool
uses_preload(const struct recording *m)
{
	switch (m->set.backend) {
	case TPROF_KERNEL:
		return false;
	case TPROF_PRELOAD:
		return can_preload_command(m->argv[0]);
	default:
		return !m->set.tree && !m->set.events_given &&
		    m->set.stacks == SAMPLER_STACKS_FP &&
		    !tprof_sees_all(&m->set.events) &&
		    can_preload_command(m->argv[0]);
	}
}

static int
reject_monitor_use(const char *what)
{
	return tprof_options_reject(&monitor_command, what);
}

/*
 * Returns why options have no effect beside another one, and what to do; NULL
 * if all have one.
 */
static const char *
find_useless_option(const struct tprof_options *o)
{
	if (o->counters && o->output != NULL)
		return "-c and -o name two places for the samples: use one";
	if (o->pids != NULL && o->tree)
		return "--tree is of a command, and -p samples no other "
		    "processes: use no --tree";
	if (o->pids != NULL && o->backend == TPROF_PRELOAD)
		return "libmon.so cannot be loaded into a process that runs "
		    "already: use no -b with -p";
	if (o->backend == TPROF_PRELOAD && o->events_given)
		return "the kernel counts events: use no -e, or -b kernel";
	if (o->backend == TPROF_PRELOAD && o->stacks != SAMPLER_STACKS_FP)
		return "libmon.so finds callers by itself: use no --stacks, "
		    "or -b kernel";
	return NULL;
}

/*
 * Records processes that run already, by the kernel.  Returns the exit status.
 */
static int
run_attached(struct recording *m)
{
	struct recording_attached a;
	struct fault f;
	int ret;

	if (m->argv[0] != NULL)
		return reject_monitor_use("-p takes no command: use "
		    "-t SECONDS to end the recording");
	m->attached = &a;
	ret = recording_attached_open(&a, m->set.pids, m->set.seconds, &f);
	if (ret != 0)
		print_fault(&f);
	ret = ret == 0 ? recording_kernel(m) : ret == -EINVAL ?
	    TPROF_WRONG_USE : TPROF_DATA;
	recording_attached_close(&a);
	m->attached = NULL;
	return ret;
}

/* Checks the options and records.  Returns the exit status. */
static int
run_monitor(struct recording *m)
{
	const char *useless = find_useless_option(&m->set);
	int ret;

	if (useless != NULL)
		return reject_monitor_use(useless);
	if (m->set.pids != NULL)
		return run_attached(m);
	if (m->set.seconds > 0)
		return reject_monitor_use("-t ends the recording of -p: for "
		    "the machine use tprof monitor sleep SECONDS");
	if (m->argv[0] == NULL)
		return reject_monitor_use("no command is named; tprof "
		    "monitor --help lists the options");
	ret = check_command_runs(m->argv[0]);
	if (ret != 0)
		return ret;
	return uses_preload(m) ? recording_preload(m) : recording_kernel(m);
}

int
tprof_monitor(char **argv)
{
	struct recording m = { 0 };
	const int at = tprof_options_parse(&m.set, argv, &monitor_command);
	int ret;

	if (at <= 0) {
		tprof_options_free(&m.set);
		return at == 0 ? TPROF_GOOD : TPROF_WRONG_USE;
	}
	m.argv = argv + at;
	m.path = m.set.counters ? "-" : m.set.output != NULL ? m.set.output :
	    TPROF_OUT;
	m.command.apart = strcmp(m.path, "-") == 0;
	ret = run_monitor(&m);
	if (m.out != NULL && m.out != stdout)
		fclose(m.out);
	if (m.command.pid > 0)
		command_close(&m.command);
	tprof_options_free(&m.set);
	return ret;
}

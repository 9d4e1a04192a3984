/*
 * Context: O.  tprof monitor: records samples while a command runs; see
 * recording.h.
 */
#include "tprof/recording.h"

#include "common/print_fault.h"
#include "libmon/preload_check.h"
#include "tprof/tprof_commands.h"
#include "tprof/tprof_output.h"

#include <limits.h>
#include <string.h>

static const char usage[] =
"usage: tprof monitor [-e EVENT[:u|:k|:uk][,SCALE]]... [-c] [-o FILE] "
"COMMAND ...\n"
"  -e, --event EVENT    sample this event, one of tprof list; may be repeated\n"
"  -o, --output FILE    write samples to FILE instead of tprof.out\n"
"  -c                   write samples to standard output, the command's own\n"
"                       output to standard error\n"
"  -b, --backend WHICH  use kernel, preload, or auto, which chooses one\n"
"      --hz N           take N samples a second of a processor, 1000\n"
"      --stacks HOW     find callers: fp, by frame pointers; copy, by tables;\n"
"                       off, not at all\n"
"      --tree           sample the command and what it starts alone\n"
"See tprof(8).\n";

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
	fprintf(stderr, "tprof: %s\n%s", what, usage);
	return TPROF_WRONG_USE;
}

static int
run_monitor(struct recording *m)
{
	int ret;

	if (m->argv[0] == NULL)
		return reject_monitor_use("no command is named");
	if (m->set.backend == TPROF_PRELOAD && m->set.events_given)
		return reject_monitor_use(
		    "the kernel counts events: use no -e, or use -b kernel");
	ret = check_command_runs(m->argv[0]);
	if (ret != 0)
		return ret;
	return uses_preload(m) ? recording_preload(m) : recording_kernel(m);
}

int
tprof_monitor(int argc, char **argv)
{
	struct recording m = { 0 };
	const int at = tprof_options_parse(&m.set, argc, argv, "+b:ce:o:",
	    usage);
	int ret;

	if (at <= 0)
		return at == 0 ? TPROF_GOOD : TPROF_WRONG_USE;
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

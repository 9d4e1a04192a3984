/* Context: O.  tprof monitor: samples while a command runs. */
#include "monitor.h"

#include "complain.h"
#include "suited.h"
#include "tprof_commands.h"
#include "tprof_output.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

static const char usage[] =
"usage: tprof monitor [-e EVENT[:u|:k|:uk][,SCALE]]... [-c] [-o FILE] COMMAND ...\n"
"  -e, --event EVENT    what is counted; several; tprof list has their names\n"
"  -o, --output FILE    where samples go, not to tprof.out\n"
"  -c                   to standard output, and the command's own output to\n"
"                       standard error\n"
"  -b, --backend WHICH  kernel, preload, or auto: what can be had\n"
"      --hz N           samples a second of a processor, 1000\n"
"      --stacks HOW     fp, by frame pointers; copy, by tables; off\n"
"      --tree           the command and what it starts, not the whole machine\n"
"see tprof(8)\n";

int
monitor_open(struct monitor *m, struct fault *f)
{
	m->out = tprof_output_open(m->path, f);
	return m->out == NULL ? -EIO : 0;
}

void
monitor_cannot_write(struct monitor *m, const struct fault *f)
{
	struct fault own = *f;

	own.file = strcmp(m->path, "-") == 0 ? "standard output" : m->path;
	if (!m->failed)
		complain(&own);
	m->failed = true;
}

void
monitor_print(const struct put *p)
{
	fputs("\ntprof statistics:\n", stderr);
	for (unsigned i = 0; i < TPROF_STATS; i++)
		fprintf(stderr, "\t%s %" PRIu64 "\n", tprof_stat_name(i),
		    p->stats[i]);
}

void
monitor_end(struct monitor *m, struct put *p)
{
	struct fault f;

	if (put_end(p, command_exit_status(&m->command), buffer_now(),
	    &f) != 0)
		monitor_cannot_write(m, &f);
	if (fclose(m->out) != 0) {
		fault_set(&f, "cannot be written", FAULT_NO_OFFSET, errno);
		monitor_cannot_write(m, &f);
	}
	m->out = NULL;
}

int
monitor_status(const struct monitor *m)
{
	const int status = command_exit_status(&m->command);

	return status == 0 && m->failed ? TPROF_DATA : status;
}

/*
 * Of a command that cannot be run nothing is sampled, and no file is made: an
 * older one of that name would be gone.  Its exit status, or 0.
 */
static int
cannot_run(const char *command)
{
	const enum suited s = suited_check(command, NULL, 0);
	struct fault f;

	if (s != SUITED_NOT_FOUND && s != SUITED_NOT_RUN)
		return 0;
	fault_set(&f, suited_words(s), FAULT_NO_OFFSET, 0);
	f.file = command;
	f.remedy = s == SUITED_NOT_FOUND ? "a program is wanted, or what "
	    "tprof --help lists" : NULL;
	complain(&f);
	return s == SUITED_NOT_FOUND ? COMMAND_NOT_FOUND : COMMAND_NOT_RUN;
}

/* Can our library be in it?  Why not is said. */
static bool
is_suited(const char *command)
{
	char file[PATH_MAX];
	const enum suited s = suited_check(command, file, sizeof(file));

	if (s == SUITED)
		return true;
	fprintf(stderr, "tprof: %s %s: libmon.so cannot be in it, so samples "
	    "are the kernel's\n", *file != '\0' ? file : command,
	    suited_words(s));
	return false;
}

/* False: the kernel's. */
static bool
is_preload(const struct monitor *m)
{
	switch (m->set.backend) {
	case TPROF_KERNEL:
		return false;
	case TPROF_PRELOAD:
		return is_suited(m->argv[0]);
	default:
		return !m->set.tree && !m->set.events_given &&
		    m->set.stacks == SAMPLER_STACKS_FP &&
		    !tprof_sees_all(&m->set.events) && is_suited(m->argv[0]);
	}
}

static int
wrong(const char *what)
{
	fprintf(stderr, "tprof: %s\n%s", what, usage);
	return TPROF_WRONG_USE;
}

static int
run(struct monitor *m)
{
	int ret;

	if (m->argv[0] == NULL)
		return wrong("no command is named");
	if (m->set.backend == TPROF_PRELOAD && m->set.events_given)
		return wrong("events are counted by the kernel: use no -e, or "
		    "-b kernel");
	ret = cannot_run(m->argv[0]);
	if (ret != 0)
		return ret;
	return is_preload(m) ? monitor_preload(m) : monitor_kernel(m);
}

int
tprof_monitor(int argc, char **argv)
{
	struct monitor m = { .out = NULL };
	const int at = tprof_options_parse(&m.set, argc, argv, "+b:ce:o:",
	    usage);
	int ret;

	if (at <= 0)
		return at == 0 ? TPROF_GOOD : TPROF_WRONG_USE;
	m.argv = argv + at;
	m.path = m.set.counters ? "-" : m.set.output != NULL ? m.set.output :
	    TPROF_OUT;
	m.command.apart = strcmp(m.path, "-") == 0;
	ret = run(&m);
	if (m.out != NULL && m.out != stdout)
		fclose(m.out);
	if (m.command.pid > 0)
		command_close(&m.command);
	tprof_options_free(&m.set);
	return ret;
}

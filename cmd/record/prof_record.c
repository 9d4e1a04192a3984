/*
 * Context: O.  Runs a command under libmon.so, or has the kernel sample it, for
 * main() of prof, before prof parses options of its own; see prof_record.h.
 */
#include "record/prof_record.h"

#include "base/clock_ns.h"
#include "command.h"
#include "common/print_fault.h"
#include "export.h"
#include "libmon/backend_preload.h"
#include "libmon/preload_check.h"
#include "libmon/preload_env.h"
#include "record/record_check.h"
#include "record/record_kernel.h"
#include "record/record_names.h"
#include "record/record_options.h"
#include "record/record_output.h"
#include "record/record_summary.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RECORD_GOOD = 0, RECORD_DATA = 1, RECORD_WRONG_USE = 2 };

/* How a command is recorded. */
enum record_way { RECORD_BY_LIBRARY, RECORD_BY_KERNEL };

/* Returns the exit status for a command that cannot be recorded. */
static int
status_of_check(enum preload_check s)
{
	return s == PRELOAD_CHECK_NOT_FOUND ? COMMAND_NOT_FOUND :
	    s == PRELOAD_CHECK_NOT_RUN ? COMMAND_NOT_RUN : RECORD_WRONG_USE;
}

/* Reports why the command cannot be recorded.  Returns the exit status. */
static int
reject_command(const char *file, enum preload_check s, const char *remedy)
{
	struct fault f;

	fault_set(&f, preload_check_text(s), FAULT_NO_OFFSET, 0);
	f.file = file;
	f.remedy = remedy;
	print_fault(&f);
	return status_of_check(s);
}

/*
 * Chooses how to record the command.  A program that libmon.so cannot be in is
 * sampled by the kernel, which sees its CPU time alone.  Returns 0, or the exit
 * status after a line on standard error.
 */
static int
choose_way(const struct record_options *set, enum record_way *way)
{
	char file[PATH_MAX];
	const enum preload_check s = preload_check_command(set->command[0],
	    file, sizeof(file));
	const char *name = file[0] != '\0' ? file : set->command[0];

	*way = s == PRELOAD_CHECK_OK ? RECORD_BY_LIBRARY : RECORD_BY_KERNEL;
	if (s == PRELOAD_CHECK_OK)
		return 0;
	if (s == PRELOAD_CHECK_NOT_FOUND)
		return reject_command(name, s,
		    "name a program by its path, or one that PATH has");
	if (s == PRELOAD_CHECK_NOT_RUN)
		return reject_command(name, s, "see its permissions");
	if (set->heap || set->wall || set->library)
		return reject_command(name, s, "of such a program and its "
		    "children the kernel samples CPU time alone: leave out "
		    "--heap, --wall, --log, --children and --set");
	fprintf(stderr, "prof: %s %s: libmon.so cannot be in it, so the kernel "
	    "samples it\n", name, preload_check_text(s));
	return 0;
}

static uint64_t
timeval_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000;
}

/*
 * Returns the CPU time of the command and of what was waited for, in ns; 0 if
 * it is not known.
 */
static uint64_t
children_cpu_ns(void)
{
	struct rusage used;

	return getrusage(RUSAGE_CHILDREN, &used) != 0 ? 0 :
	    timeval_ns(&used.ru_utime) + timeval_ns(&used.ru_stime);
}

/*
 * Makes the environment of the command, which is to load libmon.so.  The caller
 * frees *env in any case.  Returns 0 or -errno with *f set.
 */
static int
make_environment(struct preload_env *env, const struct record_options *set,
    const struct record_output *output, struct fault *f)
{
	char library[PATH_MAX];
	struct preload_env_request want = {
		.library = library,
		.directory = output->path,
		.options = set->options,
	};
	int ret = libmon_find(library, sizeof(library), f);

	if (ret == 0 && preload_env_make(env, &want) != 0)
		ret = fault_set_no_memory(f);
	return ret;
}

/*
 * Runs the command under libmon.so.  Returns its exit status, or that of a
 * command that could not be run, after a line on standard error.
 */
static int
record_library(struct record_run *run)
{
	struct preload_env env = { 0 };
	struct command c = { .pid = -1 };
	struct fault f;
	int ret;

	if (make_environment(&env, run->set, run->output, &f) != 0 ||
	    command_start(&c, run->set->command, env.env, &f) != 0) {
		print_fault(&f);
		ret = RECORD_DATA;
	} else {
		ret = command_go(&c, run->set->command[0], &f);
		run->ran = ret == 0;
		if (ret != 0)
			print_fault(&f);
		command_wait(&c);
		if (ret == 0)
			ret = command_exit_status(&c);
	}
	run->status = c.status;
	if (c.pid > 0)
		command_close(&c);
	preload_env_free(&env);
	return ret;
}

/*
 * Lets signals act on this process again, which command.c has blocked.  Those
 * that are pending came while the command ran, as ^C goes to both; they are
 * dropped.
 */
static void
obey_signals(const sigset_t *before)
{
	const struct timespec none = { 0 };
	sigset_t all;

	sigfillset(&all);
	while (sigtimedwait(&all, NULL, &none) > 0 || errno == EINTR)
		;
	sigprocmask(SIG_SETMASK, before, NULL);
}

/*
 * Writes the page of --html, by another run of this program: the page has all
 * kinds of numbers that were recorded.
 */
static void
write_page(const struct record_run *r)
{
	char html[PATH_MAX + sizeof("--html=")];
	/* With --heap alone the samples are few, of a slower program. */
	const char *argv[] = {
		"prof", html, r->output->path,
		r->set->time ? NULL : "--heap", NULL,
	};
	const char *name = r->set->page;
	struct fault f;
	pid_t pid;
	int status = 0;

	snprintf(html, sizeof(html), "--html=%s", name);
	pid = fork();
	if (pid == 0) {
		execv("/proc/self/exe", (char **)argv);
		_exit(127);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0) {
		/* That run itself says where a page of this name is. */
		if (strcmp(name, EXPORT_PAGE) != 0)
			fprintf(stderr, "prof: the page is %s\n", name);
		return;
	}
	fault_set(&f, "was not written", FAULT_NO_OFFSET, 0);
	f.file = name;
	f.remedy = "the profile is there: prof --html=FILE PROFILE";
	print_fault(&f);
}

/* Does what a signal may end: the profiles are there, and the user knows. */
static void
after_summary(const struct record_run *r, const sigset_t *mask)
{
	obey_signals(mask);
	if (r->set->page != NULL)
		write_page(r);
	record_names_store(r->output);
}

/* Records the command and prints the summary.  Returns the exit status. */
static int
record(const struct record_options *set)
{
	struct record_run run = { .set = set };
	sigset_t mask;
	struct record_output output;
	enum record_way way;
	struct fault f;
	int ret = choose_way(set, &way);

	if (ret == 0 && way == RECORD_BY_LIBRARY &&
	    record_check_options(set) != 0)
		ret = RECORD_WRONG_USE;
	if (ret != 0)
		return ret;
	run.output = &output;
	if (record_output_open(&output, set->output, &f) != 0) {
		print_fault(&f);
		ret = RECORD_DATA;
	} else {
		sigprocmask(SIG_SETMASK, NULL, &mask);
		run.elapsed_ns = clock_ns_now(CLOCK_MONOTONIC);
		ret = way == RECORD_BY_LIBRARY ? record_library(&run) :
		    record_kernel(&run);
		run.elapsed_ns = clock_ns_now(CLOCK_MONOTONIC) - run.elapsed_ns;
		run.cpu_ns = children_cpu_ns();
		record_output_settle(&output);
		if (run.ran && record_summary_print(&run))
			after_summary(&run, &mask);
	}
	record_output_close(&output);
	return ret;
}

int
prof_record_run(char **argv)
{
	struct record_options set;
	int ret = record_options_parse(&set, argv);

	ret = ret == 0 ? record(&set) : ret < 0 ? RECORD_WRONG_USE :
	    RECORD_GOOD;
	record_options_free(&set);
	return ret;
}

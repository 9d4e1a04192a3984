/*
 * Context: O.  Watches running processes that are recorded, for tprof_monitor.c
 * and recording_kernel.c; see recording_attached.h.
 */
#include "tprof/recording_attached.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define COMMAND_SHOWN	100	/* bytes of a command line that are shown */

/*
 * Blocks the signals that end the recording, and ignores SIGPIPE and SIGXFSZ.
 * Returns a signalfd(2); -1 on failure.
 */
static int
open_signals(void)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* A failed write is an error, not the end. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int
recording_attached_open(struct recording_attached *r, const char *pids,
    double seconds, struct fault *f)
{
	int ret;

	*r = (struct recording_attached) { .signals = -1, .limit = -1 };
	ret = attached_open(&r->processes, pids, f);
	if (ret != 0)
		return ret;
	r->signals = open_signals();
	ret = attached_watch(&r->processes, r->signals, f);
	if (ret != 0 || seconds <= 0)
		return ret;
	r->limit = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return attached_watch(&r->processes, r->limit, f);
}

void
recording_attached_begin(struct recording_attached *r, double seconds)
{
	struct itimerspec limit = { .it_value.tv_sec = (time_t)seconds };

	limit.it_value.tv_nsec = (long)((seconds -
	    (double)limit.it_value.tv_sec) * 1e9);
	if (r->limit >= 0)
		timerfd_settime(r->limit, 0, &limit, NULL);
}

bool
recording_attached_look(void *arg)
{
	struct recording_attached *r = arg;
	struct signalfd_siginfo info;
	uint64_t times;

	r->over |= read(r->signals, &info, sizeof(info)) == sizeof(info);
	r->over |= r->limit >= 0 &&
	    read(r->limit, &times, sizeof(times)) == sizeof(times);
	return attached_have_ended(&r->processes) || r->over;
}

/*
 * Prints the command line of a process, with blanks between its words.  It may
 * hold anything, and goes to a terminal.
 */
static void
print_command_line(FILE *out, pid_t pid)
{
	char path[32], words[COMMAND_SHOWN + 1];
	size_t bytes = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	in = fopen(path, "re");
	if (in != NULL) {
		bytes = fread(words, 1, sizeof(words), in);
		fclose(in);
	}
	while (bytes != 0 && words[bytes - 1] == '\0')
		bytes--;
	if (bytes != 0)
		putc(' ', out);
	for (size_t i = 0; i < bytes && i < COMMAND_SHOWN; i++)
		putc(words[i] == '\0' ? ' ' : iscntrl((unsigned char)words[i]) ?
		    '?' : words[i], out);
	if (bytes > COMMAND_SHOWN)
		fputs("...", out);
}

char *
recording_attached_text(const struct recording_attached *r)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	for (size_t i = 0; i < r->processes.count; i++) {
		fprintf(out, "%s%s", i == 0 ? "" : ", ",
		    r->processes.all[i].name);
		print_command_line(out, r->processes.all[i].pid);
	}
	return fclose(out) == 0 ? text : NULL;
}

void
recording_attached_close(struct recording_attached *r)
{
	attached_close(&r->processes);
	if (r->signals >= 0)
		close(r->signals);
	if (r->limit >= 0)
		close(r->limit);
	r->signals = r->limit = -1;
}

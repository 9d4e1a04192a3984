/*
 * Context: O.  Runs the command that is sampled, for tprof count, tprof monitor
 * and prof record; see command.h.  A thread of its own takes the signals of the
 * tool and the end of the command.
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int watched_signals[] = {
	SIGCHLD, SIGUSR1, SIGINT, SIGQUIT, SIGTERM, SIGHUP,
};

#define WATCHED_SIGNALS (sizeof(watched_signals) / sizeof(watched_signals[0]))
#define NEVER_OURS	2	/* the first two never act on tprof itself */

/*
 * How long tprof waits after the end of the command before signals act on it.
 * timeout(1) sends its signal to tprof and to its process group, one after the
 * other: the second must not find tprof alone.
 */
#define SAME_NS		500000000

static int
command_fault(struct fault *f, const char *what, int errnum)
{
	return fault_set(f, what, FAULT_NO_OFFSET, errnum);
}

/*
 * Makes standard error the program's standard output.  If there is no standard
 * error, /dev/null takes its place: otherwise the next file that the program
 * opens would become its standard output.
 */
static void
leave_output(void)
{
	int nothing;

	if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		return;
	nothing = open("/dev/null", O_WRONLY);
	if (nothing != STDOUT_FILENO && nothing >= 0) {
		dup2(nothing, STDOUT_FILENO);
		close(nothing);
	}
}

/*
 * Waits for the byte of command_go() and executes the command, in the child.
 * `go`, `failed`: ends of the pipes.  Does not return.
 */
static void
exec_command(const struct command *c, int go, int failed, char **argv,
    char **env)
{
	ssize_t got;
	char byte;
	int errnum;

	/* A signal that is passed on ends the child, also before its exec. */
	sigprocmask(SIG_SETMASK, &c->before, NULL);
	do
		got = read(go, &byte, 1);
	while (got < 0 && errno == EINTR);
	/* tprof is gone, or could not sample the command. */
	if (got != 1)
		_exit(COMMAND_NOT_RUN);
	if (c->chld == SIG_IGN)
		signal(SIGCHLD, SIG_IGN);
	if (c->apart)
		leave_output();
	if (env != NULL)
		execvpe(argv[0], argv, env);
	else
		execvp(argv[0], argv);
	errnum = errno;
	while (write(failed, &errnum, sizeof(errnum)) < 0 && errno == EINTR)
		;
	_exit(errnum == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_RUN);
}

/* Returns the set of the first `count` watched signals. */
static sigset_t
first_of(size_t count)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < count; i++)
		sigaddset(&set, watched_signals[i]);
	return set;
}

/* Notes SIGUSR1, and sends SIGTERM and SIGHUP to the command. */
static void
pass_on(struct command *c, int number)
{
	if (number == SIGUSR1)
		__atomic_store_n(&c->wanted, true, __ATOMIC_RELEASE);
	if (number == SIGTERM || number == SIGHUP)
		kill(c->pid, number);
}

/* Makes c->news readable for command_look(). */
static void
notify_status(struct command *c)
{
	const uint64_t one = 1;

	while (write(c->news, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

/*
 * Lets signals act on tprof after the command has ended, as no process is left
 * to pass them on to.  Signals that are pending came while the command ran, as
 * ^C goes to both processes at once; they are dropped.
 */
static void
wait_to_be_killed(const sigset_t *all, const sigset_t *before)
{
	const struct timespec none = { 0, 0 }, same = { 0, SAME_NS };
	const sigset_t never = first_of(NEVER_OURS);

	while (sigtimedwait(all, NULL, &none) > 0 || errno == EINTR)
		;
	nanosleep(&same, NULL);
	pthread_sigmask(SIG_SETMASK, before, NULL);
	pthread_sigmask(SIG_BLOCK, &never, NULL);
	for (;;)
		pause();
}

/*
 * Takes the signals, in a thread of its own: all other threads may wait for
 * another process.  Does not return; command_close() cancels the thread.
 */
static void *
watch_signals(void *command)
{
	const sigset_t all = first_of(WATCHED_SIGNALS);
	struct command *c = command;
	const sigset_t before = c->before;

	for (;;) {
		const int number = sigwaitinfo(&all, NULL);

		/* One SIGCHLD may stand for several children. */
		if (waitpid(c->pid, &c->status, WNOHANG) == c->pid)
			break;
		if (number > 0)
			pass_on(c, number);
		if (number == SIGUSR1)
			notify_status(c);
	}
	__atomic_store_n(&c->ended, true, __ATOMIC_RELEASE);
	notify_status(c);
	wait_to_be_killed(&all, &before);
	return NULL;
}

/*
 * Blocks the watched signals in this thread and those that it makes, and keeps
 * the mask and action that the command is to get.
 */
static int
block_signals(struct command *c, struct fault *f)
{
	const sigset_t all = first_of(WATCHED_SIGNALS);

	sigprocmask(SIG_BLOCK, &all, &c->before);
	/* While SIGCHLD is ignored, children cannot be waited for. */
	c->chld = signal(SIGCHLD, SIG_DFL);
	c->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return c->news >= 0 ? 0 : command_fault(f, "signals cannot be received",
	    errno);
}

/* Closes what command_start() has opened.  There is no child. */
static void
close_descriptors(struct command *c)
{
	int *const all[] = { &c->go, &c->failed, &c->news };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (*all[i] >= 0)
			close(*all[i]);
		*all[i] = -1;
	}
}

static int
hear_signals(struct command *c, struct fault *f)
{
	const int ret = pthread_create(&c->hearer, NULL, watch_signals, c);

	c->heard = ret == 0;
	return ret == 0 ? 0 : command_fault(f, "no thread can be created", ret);
}

/*
 * Makes the two pipes: our ends are in *c, those of the child in ends[], that
 * to read from and that to write to.  Returns 0, or -errno with *f set.
 */
static int
open_pipes(struct command *c, int ends[2], struct fault *f)
{
	int go[2], failed[2], ret;

	if (pipe2(go, O_CLOEXEC) != 0)
		return command_fault(f, "no pipe can be created", errno);
	c->go = go[1];
	if (pipe2(failed, O_CLOEXEC) != 0) {
		ret = command_fault(f, "no pipe can be created", errno);
		close(go[0]);
		return ret;
	}
	c->failed = failed[0];
	ends[0] = go[0];
	ends[1] = failed[1];
	return 0;
}

/*
 * Forks the child, and closes its ends of the pipes.  Returns 0, or -errno with
 * *f set.
 */
static int
fork_child(struct command *c, const int ends[2], char **argv, char **env,
    struct fault *f)
{
	int ret = 0;

	c->pid = fork();
	if (c->pid == 0) {
		close(c->go);
		close(c->failed);
		exec_command(c, ends[0], ends[1], argv, env);
	}
	if (c->pid < 0)
		ret = command_fault(f, "no process can be created", errno);
	/* In tprof alone: a failed write is an error, not the end. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	close(ends[0]);
	close(ends[1]);
	return ret;
}

int
command_start(struct command *c, char **argv, char **env, struct fault *f)
{
	int ends[2] = { -1, -1 }, ret;

	*c = (struct command) {
		.apart = c->apart,
		.pid = -1, .go = -1, .failed = -1, .news = -1,
	};
	ret = block_signals(c, f);
	if (ret == 0)
		ret = open_pipes(c, ends, f);
	if (ret == 0)
		ret = fork_child(c, ends, argv, env, f);
	if (ret == 0)
		return hear_signals(c, f);
	close_descriptors(c);
	return ret;
}

int
command_go(struct command *c, const char *name, struct fault *f)
{
	int errnum = 0;
	ssize_t got;

	while (write(c->go, "", 1) < 0 && errno == EINTR)
		;
	close(c->go);
	c->go = -1;
	do
		got = read(c->failed, &errnum, sizeof(errnum));
	while (got < 0 && errno == EINTR);
	close(c->failed);
	c->failed = -1;
	if (got != sizeof(errnum))
		return 0;
	command_fault(f, "cannot be run", errnum);
	f->file = name;
	return errnum == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_RUN;
}

bool
command_look(void *command)
{
	struct command *c = command;
	uint64_t news;

	while (read(c->news, &news, sizeof(news)) < 0 && errno == EINTR)
		;
	return __atomic_load_n(&c->ended, __ATOMIC_ACQUIRE);
}

bool
command_wanted(struct command *c)
{
	return __atomic_exchange_n(&c->wanted, false, __ATOMIC_ACQ_REL);
}

void
command_wait(struct command *c)
{
	struct pollfd p = { .fd = c->news, .events = POLLIN };

	while (!command_look(c))
		poll(&p, 1, -1);
}

int
command_exit_status(const struct command *c)
{
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status) :
	    WEXITSTATUS(c->status);
}

void
command_close(struct command *c)
{
	if (c->go >= 0)
		close(c->go);
	if (c->failed >= 0)
		close(c->failed);
	/* A child that has not executed the command ends by itself. */
	if (c->heard) {
		command_wait(c);
		pthread_cancel(c->hearer);
		pthread_join(c->hearer, NULL);
	} else if (c->pid > 0) {
		waitpid(c->pid, &c->status, 0);
	}
	if (c->news >= 0)
		close(c->news);
	/* Signals stay blocked: a pending one would replace the exit status. */
}

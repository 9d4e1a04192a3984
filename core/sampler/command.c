/* Context: O.  The program that is run to be sampled. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int
wrong(struct fault *f, const char *what, int errnum)
{
	return fault_set(f, what, FAULT_NO_OFFSET, errnum);
}

/* In the child; what it does not return from. */
static void
become(const struct command *c, int go, int failed, char **argv, char **env)
{
	ssize_t got;
	char byte;
	int errnum;

	do
		got = read(go, &byte, 1);
	while (got < 0 && errno == EINTR);
	/* Who would have said so is gone, or could not sample it. */
	if (got != 1)
		_exit(COMMAND_NOT_RUN);
	if (c->chld == SIG_IGN)
		signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, &c->before, NULL);
	if (env != NULL)
		execvpe(argv[0], argv, env);
	else
		execvp(argv[0], argv);
	errnum = errno;
	while (write(failed, &errnum, sizeof(errnum)) < 0 && errno == EINTR)
		;
	_exit(errnum == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_RUN);
}

static int
watch_signals(struct command *c, struct fault *f)
{
	static const int all[] = {
		SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1,
	};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		sigaddset(&set, all[i]);
	sigprocmask(SIG_BLOCK, &set, &c->before);
	/* Ignored, it would be waited for by nobody. */
	c->chld = signal(SIGCHLD, SIG_DFL);
	c->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signals >= 0 ? 0 : wrong(f, "signals cannot be read",
	    errno);
}

int
command_start(struct command *c, char **argv, char **env, struct fault *f)
{
	int go[2], failed[2];

	*c = (struct command) { .pid = -1, .go = -1, .failed = -1 };
	if (watch_signals(c, f) != 0)
		return -EIO;
	if (pipe2(go, O_CLOEXEC) != 0)
		return wrong(f, "no pipe can be made", errno);
	if (pipe2(failed, O_CLOEXEC) != 0) {
		close(go[0]);
		close(go[1]);
		return wrong(f, "no pipe can be made", errno);
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		close(failed[0]);
		become(c, go[0], failed[1], argv, env);
	}
	/* Of us alone: what cannot be written is an error, and no more. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	return c->pid > 0 ? 0 : wrong(f, "no process can be made", errno);
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
	wrong(f, "cannot be run", errnum);
	f->file = name;
	return errnum == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_RUN;
}

static void
pass_on(struct command *c, int number)
{
	if (number == SIGUSR1)
		c->wanted = true;
	if ((number == SIGTERM || number == SIGHUP) && !c->ended)
		kill(c->pid, number);
}

bool
command_look(void *command)
{
	struct command *c = command;
	struct signalfd_siginfo info;

	while (read(c->signals, &info, sizeof(info)) == sizeof(info))
		pass_on(c, (int)info.ssi_signo);
	/* One SIGCHLD can be of several. */
	if (!c->ended)
		c->ended = waitpid(c->pid, &c->status, WNOHANG) == c->pid;
	return c->ended;
}

void
command_wait(struct command *c)
{
	struct pollfd p = { .fd = c->signals, .events = POLLIN };

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
	if (c->signals >= 0)
		close(c->signals);
	/* It has not exec'd, and ends by itself. */
	if (c->pid > 0 && !c->ended)
		waitpid(c->pid, &c->status, 0);
	/* Signals stay blocked: one that waits would take our exit status. */
}

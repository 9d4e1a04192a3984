/*
 * Context: O.  Handles the signals of tprof top, for tprof_top.c and the
 * sampler of top_kernel.c; see top_signals.h.
 */
#include "top/top_signals.h"

#include "ring/perf_buffer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define KEY_MS	100	/* ms between looks for a key */

static struct tprof_top *running;	/* for the signal handler */

bool
top_signals_read(void *top)
{
	struct tprof_top *t = top;
	struct signalfd_siginfo si;

	while (read(t->signal_fd, &si, sizeof(si)) == sizeof(si))
		__atomic_store_n(&t->resized, true, __ATOMIC_RELEASE);
	return __atomic_load_n(&t->ending, __ATOMIC_ACQUIRE);
}

/*
 * Notes the end.  Only the thread that draws runs this handler, because the
 * signals are blocked in the others, so that the handler acts before a call
 * that the terminal has stopped goes on: in the background that call would be
 * stopped again.  SIGWINCH wakes the thread that reads the signals.
 */
static void
handle_end_signal(int number)
{
	const int kept = errno;

	running->ended_by = number;
	__atomic_store_n(&running->ending, true, __ATOMIC_RELEASE);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
	kill(getpid(), SIGWINCH);
	errno = kept;
}

static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

#define ENDS	(sizeof(end_signals) / sizeof(end_signals[0]))

/*
 * Installs handlers of the signals that end the command.  Ignored signals stay
 * ignored; curses leaves handled signals alone.
 */
static void
install_end_handlers(struct tprof_top *t, sigset_t *set)
{
	struct sigaction old, own = {
		.sa_handler = handle_end_signal, .sa_flags = SA_RESTART,
	};

	running = t;
	sigemptyset(set);
	for (size_t i = 0; i < ENDS; i++) {
		sigaddset(set, end_signals[i]);
		sigaddset(&own.sa_mask, end_signals[i]);
	}
	for (size_t i = 0; i < ENDS; i++)
		if (sigaction(end_signals[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(end_signals[i], &own, NULL);
}

int
top_signals_open(struct tprof_top *t)
{
	sigset_t set;

	install_end_handlers(t, &set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	t->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return t->signal_fd < 0 ? -errno : 0;
}

int
top_signals_wait(struct tprof_top *t, uint64_t until)
{
	struct pollfd p[] = {
		{ .fd = t->signal_fd, .events = POLLIN },
		{ .fd = isatty(STDIN_FILENO) ? STDIN_FILENO : -1,
		    .events = POLLIN },
	};
	const uint64_t now = perf_buffer_now();
	const uint64_t left = now < until ? (until - now) / 1000000 + 1 : 0;

	poll(p, 2, left < KEY_MS ? (int)left : KEY_MS);
	if ((p[0].revents & POLLIN) != 0)
		top_signals_read(t);
	return __atomic_load_n(&t->ending, __ATOMIC_ACQUIRE) ? 0 : 1;
}

void
top_signals_unblock(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ENDS; i++)
		sigaddset(&set, end_signals[i]);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* Context: T.  Waiting with a mask of its own, and waiting for signals. */
#include "hook.h"
#include "sigmask.h"
#include "sigmove.h"
#include "tick.h"

#include <sys/signalfd.h>

MON_EXPORT int
sigsuspend(const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	return real.sigsuspend(sigmask_wait(set, &copy));
}

MON_EXPORT int
ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
    const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	return REAL(ppoll)(fds, n, timeout, sigmask_wait(set, &copy));
}

MON_EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t n,
    const struct timespec *timeout, const sigset_t *set, size_t room);

/* _FORTIFY_SOURCE's: the check is libc's, on our behalf. */
MON_EXPORT int
__ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
    const sigset_t *set, size_t room)
{
	static int (*check)(struct pollfd *, nfds_t, const struct timespec *,
	    const sigset_t *, size_t);
	sigset_t copy;

	real_begin();
	if (room / sizeof *fds >= n)
		return ppoll(fds, n, timeout, set);
	real_late((void **)(void *)&check, "__ppoll_chk");
	return check(fds, n, timeout, sigmask_wait(set, &copy), room);
}

MON_EXPORT int
pselect(int n, fd_set *r, fd_set *w, fd_set *e, const struct timespec *timeout,
    const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	return real.pselect(n, r, w, e, timeout, sigmask_wait(set, &copy));
}

MON_EXPORT int
epoll_pwait(int fd, struct epoll_event *events, int n, int timeout,
    const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	return REAL(epoll_pwait)(fd, events, n, timeout,
	    sigmask_wait(set, &copy));
}

MON_EXPORT int
epoll_pwait2(int fd, struct epoll_event *events, int n,
    const struct timespec *timeout, const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	if (REAL(epoll_pwait2) == NULL) {
		errno = ENOSYS;	/* glibc before 2.35 */
		return -1;
	}
	return REAL(epoll_pwait2)(fd, events, n, timeout,
	    sigmask_wait(set, &copy));
}

/* A program that waits for T uses it: T becomes its own before it waits. */
static const sigset_t *
wanted(const sigset_t *set, sigset_t *copy)
{
	real_begin();
	sigmove_use_set(set);
	return sigmask_want(set, copy);
}

/* A tick sent before the move may still arrive. */
static bool
was_tick(int sig, const siginfo_t *si)
{
	return sig > 0 && sig == view.fronted &&
	    tick_claim(si, (uintptr_t)__builtin_return_address(0));
}

MON_EXPORT int
sigtimedwait(const sigset_t *set, siginfo_t *info,
    const struct timespec *timeout)
{
	const sigset_t *real_set;
	sigset_t copy;
	siginfo_t si;
	int sig;

	real_set = wanted(set, &copy);
	do
		sig = real.sigtimedwait(real_set, &si, timeout);
	while (was_tick(sig, &si));
	if (sig > 0 && info != NULL)
		*info = si;
	return sig;
}

MON_EXPORT int
sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	const sigset_t *real_set;
	sigset_t copy;
	siginfo_t si;
	int sig;

	real_set = wanted(set, &copy);
	do
		sig = real.sigwaitinfo(real_set, &si);
	while (was_tick(sig, &si));
	if (sig > 0 && info != NULL)
		*info = si;
	return sig;
}

/* Unlike its kin it answers with the error, and never with EINTR. */
MON_EXPORT int
sigwait(const sigset_t *set, int *sig)
{
	int saved = errno, got;
	sigset_t copy;
	siginfo_t si;

	set = wanted(set, &copy);
	do
		got = real.sigwaitinfo(set, &si);
	while (was_tick(got, &si) || (got < 0 && errno == EINTR));
	if (got < 0) {
		got = errno;
		errno = saved;
		return got;
	}
	*sig = got;
	return 0;
}

MON_EXPORT int
signalfd(int fd, const sigset_t *set, int flags)
{
	sigset_t copy;

	set = wanted(set, &copy);
	return REAL(signalfd)(fd, set, flags);
}

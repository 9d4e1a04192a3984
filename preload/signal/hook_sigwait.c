/*
 * Context: T.  Hooks of calls that wait with a signal mask, or wait for
 * signals: no tick may end the call or be its result.
 */
#include "base/user_memory.h"
#include "clock/tick.h"
#include "hook.h"
#include "base/thread_clock.h"
#include "signal/sigmask.h"
#include "signal/wait_set.h"
#include "thread/signal_chain.h"

#include <sys/signalfd.h>

MON_EXPORT int
sigsuspend(const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	thread_clock_check_sleep();
	return real.sigsuspend(wait_set_for_mask(set, &copy));
}

MON_EXPORT int
ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
    const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	thread_clock_check_sleep();
	return REAL(ppoll)(fds, n, timeout, wait_set_for_mask(set, &copy));
}

MON_EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t n,
    const struct timespec *timeout, const sigset_t *set, size_t room);

/*
 * The hook for _FORTIFY_SOURCE: libc's function fails as the program expects.
 */
MON_EXPORT int
__ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
    const sigset_t *set, size_t room)
{
	static int (*check)(struct pollfd *, nfds_t, const struct timespec *,
	    const sigset_t *, size_t);
	sigset_t copy;

	real_begin();
	thread_clock_check_sleep();
	if (room / sizeof(*fds) >= n)
		return ppoll(fds, n, timeout, set);
	real_find_late((void **)(void *)&check, "__ppoll_chk");
	return check(fds, n, timeout, wait_set_for_mask(set, &copy), room);
}

MON_EXPORT int
pselect(int n, fd_set *r, fd_set *w, fd_set *e, const struct timespec *timeout,
    const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	thread_clock_check_sleep();
	return real.pselect(n, r, w, e, timeout, wait_set_for_mask(set, &copy));
}

MON_EXPORT int
epoll_pwait(int fd, struct epoll_event *events, int n, int timeout,
    const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	thread_clock_check_sleep();
	return REAL(epoll_pwait)(fd, events, n, timeout,
	    wait_set_for_mask(set, &copy));
}

MON_EXPORT int
epoll_pwait2(int fd, struct epoll_event *events, int n,
    const struct timespec *timeout, const sigset_t *set)
{
	sigset_t copy;

	real_begin();
	thread_clock_check_sleep();
	if (REAL(epoll_pwait2) == NULL) {
		errno = ENOSYS;	/* glibc before 2.35 */
		return -1;
	}
	return REAL(epoll_pwait2)(fd, events, n, timeout,
	    wait_set_for_mask(set, &copy));
}

/*
 * Returns whether the signal is a tick that was sent before the move, which may
 * still arrive.
 */
static bool
is_former_tick(int sig, const siginfo_t *si)
{
	return sig > 0 && sig == virtual_signals.fronted &&
	    tick_count_dequeued(si, (uintptr_t)__builtin_return_address(0));
}

/*
 * Returns where the kernel is to store its answer: in `info`, which only the
 * kernel can check, unless a tick of before the move may arrive.
 */
static siginfo_t *
siginfo_room(siginfo_t *info, const sigset_t *set, siginfo_t *own)
{
	return set != NULL &&
	    (sigmask_bits_of(set) & sigmask_former_tick()) != 0 ? own : info;
}

/*
 * Copies the answer to `info`.  As with the kernel, the signal is consumed even
 * if `info` is a bad pointer.
 */
static int
copy_siginfo_out(int sig, siginfo_t *info, const siginfo_t *from)
{
	if (sig <= 0 || info == NULL || from == info ||
	    user_memory_write(info, from, sizeof(*from)))
		return sig;
	return hook_return(-EFAULT);
}

MON_EXPORT int
sigtimedwait(const sigset_t *set, siginfo_t *info,
    const struct timespec *timeout)
{
	const sigset_t *real_set;
	siginfo_t own, *to;
	sigset_t copy;
	int sig;

	real_begin();
	thread_clock_check_sleep();
	real_set = wait_set_for_signals(set, &copy);
	to = siginfo_room(info, real_set == &copy ? &copy : NULL, &own);
	do
		sig = real.sigtimedwait(real_set, to, timeout);
	while (to == &own && is_former_tick(sig, to));
	return copy_siginfo_out(sig, info, to);
}

MON_EXPORT int
sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	const sigset_t *real_set;
	siginfo_t own, *to;
	sigset_t copy;
	int sig;

	real_begin();
	thread_clock_check_sleep();
	real_set = wait_set_for_signals(set, &copy);
	to = siginfo_room(info, real_set == &copy ? &copy : NULL, &own);
	do
		sig = real.sigwaitinfo(real_set, to);
	while (to == &own && is_former_tick(sig, to));
	return copy_siginfo_out(sig, info, to);
}

/*
 * Unlike similar functions sigwait() returns the error, sets errno, too, and
 * never returns EINTR.
 */
MON_EXPORT int
sigwait(const sigset_t *set, int *sig)
{
	int saved = errno, got;
	sigset_t copy;
	siginfo_t si;

	real_begin();
	thread_clock_check_sleep();
	set = wait_set_for_signals(set, &copy);
	do
		got = real.sigwaitinfo(set, &si);
	while (is_former_tick(got, &si) || (got < 0 && errno == EINTR));
	if (got < 0)
		return errno;
	errno = saved;
	*sig = got;
	return 0;
}

MON_EXPORT int
signalfd(int fd, const sigset_t *set, int flags)
{
	sigset_t copy;

	real_begin();
	return REAL(signalfd)(fd, wait_set_for_signals(set, &copy), flags);
}

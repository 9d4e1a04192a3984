/*
 * Context: T.  Hooks of calls that send a signal: a program that sends the
 * tick's signal, or the shadow, uses it, so the ticks move to another one.
 * real.h says why some functions are found early, and others by REAL().
 */
#include "hook.h"
#include "signal/signal_move.h"

MON_EXPORT int
kill(pid_t pid, int sig)
{
	real_begin();
	signal_move_if_used(sig);
	return real.kill(pid, sig);
}

MON_EXPORT int
killpg(pid_t group, int sig)
{
	real_begin();
	signal_move_if_used(sig);
	return REAL(killpg)(group, sig);
}

MON_EXPORT int
raise(int sig)
{
	real_begin();
	signal_move_if_used(sig);
	return real.raise(sig);
}

MON_EXPORT int gsignal(int sig);

MON_EXPORT int
gsignal(int sig)
{
	return raise(sig);
}

MON_EXPORT int
tgkill(pid_t pid, pid_t tid, int sig)
{
	real_begin();
	signal_move_if_used(sig);
	return REAL(tgkill)(pid, tid, sig);
}

MON_EXPORT int
sigqueue(pid_t pid, int sig, const union sigval value)
{
	real_begin();
	signal_move_if_used(sig);
	return real.sigqueue(pid, sig, value);
}

MON_EXPORT int
pthread_kill(pthread_t thread, int sig)
{
	real_begin();
	signal_move_if_used(sig);
	return real.pthread_kill(thread, sig);
}

MON_EXPORT int
pthread_sigqueue(pthread_t thread, int sig, const union sigval value)
{
	real_begin();
	signal_move_if_used(sig);
	return REAL(pthread_sigqueue)(thread, sig, value);
}

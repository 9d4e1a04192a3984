/*
 * Context: T.  Hooks of timers: a program whose timer sends the tick's signal
 * uses that signal.  A program may call setitimer() in a signal handler, so its
 * hook waits for no lock of libmon; its first call takes that of dlsym().
 */
#include "base/profiling.h"
#include "base/str.h"
#include "base/user_memory.h"
#include "hook.h"
#include "signal/signal_move.h"

/*
 * Returns whether the call sets the timer that libmon may use.  In Linux a new
 * value of NULL stops the timer; if libmon uses it, that would stop libmon's,
 * which must not show in *old either.
 */
static bool
may_set_own_itimer(__itimer_which_t which, const struct itimerval *value)
{
	return which == ITIMER_PROF && virtual_signals.installed &&
	    (value != NULL || (mon != NULL && mon->process_tier));
}

MON_EXPORT int
setitimer(__itimer_which_t which, const struct itimerval *value,
    struct itimerval *old)
{
	real_begin();
	if (may_set_own_itimer(which, value))
		signal_move_yield_itimer();
	if (which != ITIMER_REAL && value != NULL && profiling_is_active())
		atomic_store(&mon->itimers, true);
	return REAL(setitimer)(which, value, old);
}

MON_EXPORT int
getitimer(__itimer_which_t which, struct itimerval *value)
{
	int ret;

	real_begin();
	ret = REAL(getitimer)(which, value);
	if (ret == 0 && which == ITIMER_PROF && mon != NULL &&
	    mon->process_tier)
		mem_zero(value, sizeof(*value));	/* it is libmon's */
	return ret;
}

MON_EXPORT int
timer_create(clockid_t clock, struct sigevent *event, timer_t *id)
{
	struct sigevent e;

	real_begin();
	if (event != NULL && user_memory_read(&e, event, sizeof(e)) &&
	    (e.sigev_notify == SIGEV_SIGNAL ||
	    e.sigev_notify == SIGEV_THREAD_ID))
		signal_move_if_used(e.sigev_signo);
	return REAL(timer_create)(clock, event, id);
}

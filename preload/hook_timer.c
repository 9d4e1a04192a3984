/* Context: T.  Timers that send T: the program uses it. */
#include "hook.h"
#include "sigmove.h"
#include "start.h"
#include "str.h"

MON_EXPORT int
setitimer(__itimer_which_t which, const struct itimerval *value,
    struct itimerval *old)
{
	real_begin();
	if (which == ITIMER_PROF && value != NULL && view.installed)
		sigmove_program_takes_itimer();
	if (which != ITIMER_REAL && value != NULL && start_active())
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
		mem_zero(value, sizeof *value);	/* it is ours */
	return ret;
}

MON_EXPORT int
timer_create(clockid_t clock, struct sigevent *event, timer_t *id)
{
	real_begin();
	if (event != NULL && (event->sigev_notify == SIGEV_SIGNAL ||
	    event->sigev_notify == SIGEV_THREAD_ID))
		sigmove_use(event->sigev_signo);
	return REAL(timer_create)(clock, event, id);
}

/* Context: T.  Which coarse clock a thread gets. */
#ifndef THREAD_CLOCK_H
#define THREAD_CLOCK_H

#include "base/state.h"

/*
 * A thread timer, or the process's where none can be had, or neither, which is
 * a loss that the file names, once a thread.  s: any thread of ours; one whose
 * alternate stack is too small stays without.
 */
void thread_clock_start(struct thread_slot *s);

/*
 * Only linked, the clocks stand while nobody in the program wants them: after
 * each change of that.  Preloaded, and behind seccomp, nothing.
 */
bool thread_clock_is_wanted(void);
void thread_clock_update(void);

/* No thread has a clock any more, nor do those that come; and again.  Calls are
 * counted on. */
void thread_clock_stop_all(void);
void thread_clock_start_all(void);

/* The process's timer may not tick any more: each thread's own, or none. */
void thread_clock_drop_itimer(void);

/* The process's timer, which was stopped a moment ago. */
void thread_clock_restart_itimer(void);

/*
 * Checks whether the coarse clock misses the calling thread, which is about to
 * sleep; if so, gives the thread its fine clock.  The thread may be in any
 * context, a signal handler of the program included.  Keeps errno.  Costs up to
 * two system calls (0.5 us) if the thread's slot is watched, else nothing.
 */
void thread_clock_before_sleep(void);

/*
 * Calls thread_clock_before_sleep() if it has anything to do: for hooks in C.
 */
static inline void
thread_clock_check_sleep(void)
{
	const struct thread_slot *s = thread_slot_self;

	if (s != NULL && s->watched != 0)
		thread_clock_before_sleep();
}

#endif

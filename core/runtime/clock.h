/* Context: T.  Which coarse clock a thread gets. */
#ifndef CLOCK_H
#define CLOCK_H

#include "state.h"

/*
 * A thread timer, or the process's where none can be had, or neither, which is
 * a loss that the file names, once a thread.  s: any thread of ours; one whose
 * alternate stack is too small stays without.
 */
void clock_start(struct slot *s);

/*
 * Only linked, the clocks stand while nobody in the program wants them: after
 * each change of that.  Preloaded, and behind seccomp, nothing.
 */
bool clock_is_wanted(void);
void clock_use(void);

/* No thread has a clock any more, nor do those that come; and again.  Calls are
 * counted on. */
void clock_stop_all(void);
void clock_start_all(void);

/* The process's timer may not tick any more: each thread's own, or none. */
void clock_leave_process(void);

/* The process's timer, which was stopped a moment ago. */
void clock_restart_process(void);

/*
 * Checks whether the coarse clock misses the calling thread, which is about to
 * sleep; if so, gives the thread its fine clock.  The thread may be in any
 * context, a signal handler of the program included.  Keeps errno.  Costs up to
 * two system calls (0.5 us) if the thread's slot is watched, else nothing.
 */
void clock_before_sleep(void);

/* Calls clock_before_sleep() if it has anything to do: for hooks in C. */
static inline void
clock_sleep(void)
{
	const struct slot *s = slot_self;

	if (s != NULL && s->watched != 0)
		clock_before_sleep();
}

#endif

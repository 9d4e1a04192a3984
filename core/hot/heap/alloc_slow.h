/*
 * Context: S.  The slow part of a counted call: finds the calling thread's
 * alloc_thread, its records in the file, and the call's path, and takes orders
 * of tools; all on the alloc_thread's own stack with signals blocked.
 * alloc_count.c and alloc_count_enter.c call it, in the thread that counts;
 * process_fork.c takes an order before a fork.  Both functions may run in any
 * signal handler.
 */
#ifndef ALLOC_SLOW_H
#define ALLOC_SLOW_H

#include "heap/alloc_thread.h"

/* Arguments and results of alloc_slow_run(). */
struct alloc_slow {
	/*
	 * the calling thread's alloc_thread; NULL: alloc_slow_run() finds one,
	 * or leaves NULL
	 */
	struct alloc_thread *thread;
	/* caller; NULL: only find the alloc_thread */
	const struct alloc_caller *from;
	bool map;			/* the path is that of a mapping */
	/*
	 * result: index of the path's format_heap, or 0.  PATH_CACHE_LOST on
	 * entry: if the file has room now, forget all paths, and search for
	 * this one again
	 */
	uint32_t heap;
};

/*
 * Finds the alloc_thread (if s->thread is NULL), attaches it to the file, and
 * finds the path (if s->from is not NULL); stores the results in *s.  Runs on
 * the alloc_thread's own stack, because the program's may be small, and with
 * all signals blocked but those that report faults, so that no handler of the
 * program interrupts it.  Behind a seccomp filter it runs on the caller's
 * stack, blocks no signals, and finds no alloc_thread.
 */
void alloc_slow_run(struct alloc_slow *s);

/*
 * Takes the order that a tool has given to the process, if
 * live_control_has_order() says that there is one.  Works on the alloc_thread's
 * stack with signals blocked, because it may set the timers of all threads, and
 * because a handler that left it by siglongjmp() would keep the process from
 * ever taking another order.  Behind a seccomp filter, where each order is
 * refused, it does neither.  l: the calling thread's alloc_thread; NULL: finds
 * one.  Does nothing in a process that shares our memory, as a vfork child
 * does: the timers are its parent's.
 */
void alloc_slow_take_order(struct alloc_thread *l);

#endif

/*
 * Context: S.  What an allocation takes that is not known yet: its thread's
 * lane, the file's records of that, its path.
 */
#ifndef ALLOC_SLOW_H
#define ALLOC_SLOW_H

#include "heap/alloc_thread.h"

struct alloc_slow {
	/* NULL: it gets one, or stays so */
	struct alloc_thread *lane;
	const struct alloc_caller *from;	/* NULL: only the lane */
	bool map;			/* of mappings */
	uint32_t heap;			/* the path's record; 0: none;
					   PATH_CACHE_LOST: if there is room now,
					   all paths are forgotten and
					   searched for again */
};

/*
 * Apart: with a stack of its own, as the program's may be small, and where no
 * signal's handler but those that tell of a fault finds it.
 */
void alloc_slow_run(struct alloc_slow *s);

/*
 * Takes the order that a tool has given to the process, if
 * live_control_has_order() says that there is one.  Works on a stack of its own
 * with signals blocked, because it may set the timers of all threads, and
 * because a handler that left it by siglongjmp() would keep the process from
 * ever taking another order.  l: the calling thread's lane, or NULL.  Does
 * nothing in a process that shares our memory, as a vfork child does: the
 * timers are its parent's.
 */
void alloc_slow_take_order(struct alloc_thread *l);

#endif

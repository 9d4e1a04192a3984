/*
 * Context: S.  How the heap grows and shrinks over time, beside what is
 * resident; doc/internals.md, section 22.
 */
#ifndef HEAP_TIMELINE_H
#define HEAP_TIMELINE_H

#include "heap/alloc_thread.h"

/*
 * The lane's thread has counted as many calls as it was to be quiet for: is it
 * time for another point?  The last one of them is over after this, and not
 * before: a handler that forks in between would leave its child with no lane.
 * Any stack.
 */
void heap_timeline_check(struct alloc_thread *l);

/*
 * One more for the end, whatever the time.  Of a process that is to be sealed.
 */
void heap_timeline_finish(void);

#endif

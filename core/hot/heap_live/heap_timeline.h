/*
 * Context: S.  Records how the heap grows and shrinks over time, as points in
 * the file: bytes that are live, and bytes of the process that are resident;
 * doc/design/heap.md.  A thread calls it at the end of a counted allocation or
 * mapping, and the seal does.
 */
#ifndef HEAP_TIMELINE_H
#define HEAP_TIMELINE_H

#include "heap/alloc_thread.h"

/*
 * Writes a point if it is time for one.  alloc_count_leave() calls it at the
 * end of a call, after as many calls as l->quiet said.  Ends that call
 * (l->inside), with signals still blocked: a handler that forked between the
 * two would leave its child with no alloc_thread.  Works on any stack.  Behind
 * a seccomp filter it only ends the call.
 */
void heap_timeline_check(struct alloc_thread *l);

/*
 * Writes a last point, whatever the time, if the timeline has begun and the
 * calling thread has an alloc_thread.  The thread that is about to seal the
 * profile calls it, on its own stack, not in a frozen process.
 */
void heap_timeline_finish(void);

#endif

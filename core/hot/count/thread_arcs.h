/*
 * Context: S.  The shard of a thread: it is made at the first counted call,
 * grows, and is left to another thread at the end.  arc.c calls it, with
 * signals blocked or in a frozen process, and the end of a thread (thread.c)
 * does, always in the shard's own thread.
 */
#ifndef THREAD_ARCS_H
#define THREAD_ARCS_H

#include "count/arc_shard.h"

/*
 * Returns the shard of the calling thread, which is made or taken over from a
 * dead thread if need be, or NULL if there is no memory.  The caller has
 * signals blocked, and the process is not frozen.
 */
struct arc_shard *thread_arcs_get(void);

/*
 * Makes room in the claimed shard t for one more arc, if memory can be had.
 * Returns t, or a larger shard in its place, which is claimed, too;
 * arc_shard_self then points to that.
 */
struct arc_shard *thread_arcs_make_room(struct arc_shard *t, uintptr_t self,
    uintptr_t from);

/*
 * Returns the upper end of the shard's own stack, for the thread that has
 * claimed the shard.
 */
void *thread_arcs_stack(struct arc_shard *t);

/*
 * Notes that the calling thread ends.  Another thread may take its shard over
 * once it is gone.  Destructors of the thread go on to count in it until then.
 */
void thread_arcs_end(void);

#endif

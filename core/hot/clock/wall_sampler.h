/* Context: S.  clock=wall: the helper that looks at sleeping threads. */
#ifndef WALL_SAMPLER_H
#define WALL_SAMPLER_H

#include "base/state.h"

/*
 * Starts the helper: one thread, in this mode only, with every signal blocked.
 * While it looks, it unblocks the signals of faults that our handler is for.
 * The accounts go on where the last helper stopped.  Returns 0 or -errno.
 */
int wall_sampler_start(void);

/*
 * Makes the helper look at each thread once more, and waits until it has ended.
 */
void wall_sampler_stop(void);

/*
 * Ends the helper at once and waits until it has ended; wall_sampler_start()
 * has to follow.
 */
void wall_sampler_abort(void);

/*
 * Notes that the calling thread ends with this status, while others of the
 * program may go on.  If the end of that thread turns out to be that of the
 * process, the helper ends with this status.
 */
void wall_sampler_thread_exit(int status);

#endif

/*
 * Context: S.  clock=wall: starts and ends the helper, a thread of ours that
 * looks at sleeping threads.
 */
#ifndef WALL_SAMPLER_H
#define WALL_SAMPLER_H

#include "base/state.h"

/*
 * Starts the helper, with every signal blocked.  While it looks at threads, it
 * unblocks the signals of faults that our handler is for.  The accounts of the
 * threads go on where the last helper stopped.  Returns 0 or -errno.  Called in
 * this mode only.
 */
int wall_sampler_start(void);

/*
 * Makes the helper look at each thread once more, and waits until the helper
 * has ended.
 */
void wall_sampler_stop(void);

/*
 * Ends the helper at once, without a last look, and waits until it has ended.
 * The caller has to call wall_sampler_start() later.
 */
void wall_sampler_abort(void);

/*
 * Notes that the calling thread ends with this exit status, while other threads
 * of the program may go on.  If it turns out to be the program's last thread,
 * the helper ends the process with this status.
 */
void wall_sampler_thread_exit(int status);

#endif

/*
 * Context: S.  clock=wall: starts and ends the helper, a thread of ours that
 * looks at sleeping threads.  core/runtime (start, ends of threads, seal,
 * seccomp) and the hooks of fork and unshare(2) call it, not in a tick's
 * handler: some functions wait for the helper.  mon->wall points to its state,
 * mon->wall_tid is its id.
 */
#ifndef WALL_SAMPLER_H
#define WALL_SAMPLER_H

#include "base/state.h"

/*
 * Starts the helper, with every signal blocked, and ends the one before, if
 * there is one.  While the helper looks at threads, it unblocks the signals of
 * faults that our handler is for.  The accounts of the threads go on where the
 * last helper stopped.  Returns 0; or -ENOMEM, or the -errno of clone(2), and
 * then the helper before goes on.  Only a process with clock=wall calls it.
 */
int wall_sampler_start(void);

/*
 * Makes the helper look at each thread but the caller once more, and waits
 * until the helper has ended.  Does nothing if there is none.
 */
void wall_sampler_stop(void);

/*
 * Ends the helper at once, without a last look, and waits until it has ended.
 * The caller has to call wall_sampler_start() later.  Does nothing if there is
 * no helper.
 */
void wall_sampler_abort(void);

/*
 * Notes that the calling thread ends with this exit status, while other threads
 * of the program may go on.  If it turns out to be the program's last thread,
 * the helper ends the process with this status.  Does nothing in the first
 * thread, while that runs, or if there is no helper.
 */
void wall_sampler_thread_exit(int status);

/*
 * Notes what wall_sampler_thread_exit() notes, by stores to memory alone, for a
 * process in which a filter forbids system calls, if the helper or an earlier
 * thread has found that the first thread has ended.
 */
void wall_sampler_thread_exit_confined(int status);

#endif

/*
 * Context: O.  Handles the signals of tprof top: those that ask for the end,
 * and SIGWINCH, which says that the terminal has another size.  The main
 * thread, which draws, gets the first by handlers; the thread of the sampler
 * reads SIGWINCH while one runs, else the main thread does.
 */
#ifndef TOP_SIGNALS_H
#define TOP_SIGNALS_H

#include "top/tprof_top.h"

/*
 * Opens t->signal_fd for SIGWINCH, and installs handlers of the signals that
 * ask for the end.  Blocks both in this thread and those that it makes; the
 * main thread calls this before it starts a sampler, and top_signals_unblock()
 * after.  *t must stay where it is.  Returns 0 or -errno.
 */
int top_signals_open(struct tprof_top *t);

/*
 * Reads the pending signals from top->signal_fd; top is a struct tprof_top.
 * Returns whether the command is to end.  Any thread may call this function.
 */
bool top_signals_read(void *top);

/*
 * Waits until the time `until` (CLOCK_MONOTONIC, ns), at most 100 ms, or until
 * a key or a signal comes.  Returns 1; 0 if the command is to end.
 */
int top_signals_wait(struct tprof_top *t, uint64_t until);

/* Unblocks the signals that ask for the end, in this thread. */
void top_signals_unblock(void);

#endif

/*
 * Context: S.  Runs functions that open files where the program cannot see
 * their descriptors: in the calling thread if the process has no other, else in
 * a helper thread with a descriptor table of its own.  Used wherever libmon.so
 * opens files after the start: by ticks, hooks and the seal, in any thread.
 */
#ifndef PRIVATE_FDS_H
#define PRIVATE_FDS_H

#include <errno.h>
#include <stdbool.h>

/*
 * Runs fn(arg) and returns its result.  No other thread of the program can see
 * the descriptors that fn has open, or get another descriptor number because of
 * them.  If the process has no other thread, no other process shares its
 * descriptors, and some are free, fn runs in the calling thread; else it runs
 * in a helper thread with a descriptor table of its own, which exists only for
 * this call.  If no thread can be made, fn runs in the calling thread, too.
 * All signals but those of faults are blocked meanwhile.  libc does not know
 * the helper: fn may use no TLS.  Any thread and any signal handler may call
 * it, but not in a frozen process.
 *
 * In the calling thread fn uses the program's table.  Closing any descriptor of
 * a file there releases all record locks that the program holds on that file.
 * So a function that is to open a file outside /proc first calls
 * private_fds_is_shared(); if it returns true, the function returns
 * PRIVATE_FDS_RETRY and is called again in a table of its own.  A function that
 * finds no free descriptor returns that, too.
 */
#define PRIVATE_FDS_RETRY	(-EMFILE)
int private_fds_run(int (*fn)(void *), void *arg);

/*
 * Returns whether the function that private_fds_run() runs now uses the
 * program's descriptor table and can still be run in another one.  Returns
 * false if no thread could be made: that function then opens its files in the
 * program's table.
 */
bool private_fds_is_shared(void);

/*
 * Waits until thread `tid` of ours, which is ending, has left the process.  The
 * thread that made the helper calls it, or the thread that ends the helper of
 * clock=wall.  The thread stops using our memory and wakes us a moment before
 * that.  The wait is needed because chromium's zygote counts its threads before
 * it forks, and unshare(2) fails if there is another thread.
 */
void private_fds_await_exit(int tid);

/*
 * Tell the scan for threads of a helper thread of ours, so that it does not
 * take it for one of the program's: private_fds_expect_helper() before the
 * clone, by the thread that makes it; private_fds_note_helper() first of all,
 * by the helper; private_fds_forget_helper() if the clone has failed.
 */
void private_fds_expect_helper(void);
void private_fds_note_helper(void);
void private_fds_forget_helper(void);

/*
 * Waits while a helper is between the first two, for some 40 us at most.
 * Returns whether none is: then private_fds_is_helper() knows all helpers that
 * were listed before this call.
 */
bool private_fds_helpers_noted(void);

/*
 * Returns whether thread `tid` is one of the last PRIVATE_FDS_HELPERS helpers
 * that were noted.  tid: not 0.
 */
bool private_fds_is_helper(int tid);

#endif

/* Context: S.  Work that opens files, aside from the program's descriptors. */
#ifndef PRIVATE_FDS_H
#define PRIVATE_FDS_H

#include <errno.h>
#include <stdbool.h>

/*
 * Run fn(arg) where no other thread of the program can see what is open
 * meanwhile, nor be given another number than it would have been, and return
 * what it returns: here while there is no other thread, else in a thread of a
 * moment that has a descriptor table of its own.  libc does not know that one:
 * fn may not ask who it is.  Where no thread can be had it runs here.
 *
 * What fn closes here is the program's: with any descriptor of a file go all
 * record locks that the program holds on it.  So whoever is to open a file that
 * is not of /proc looks first, and returns PRIVATE_FDS_RETRY to be called in a
 * table of its own; so does who finds no descriptor free.
 */
#define PRIVATE_FDS_RETRY	(-EMFILE)
int private_fds_run(int (*fn)(void *), void *arg);
bool private_fds_is_shared(void);

/*
 * Wait until a thread of ours that ends has left the process.  It leaves our
 * memory, and wakes us, a moment before: chromium's zygote counts its threads
 * before it forks, unshare(2) wants to be alone.
 */
void private_fds_await_exit(int tid);

/* Is or was this thread one of those? */
bool private_fds_is_helper(int tid);

#endif

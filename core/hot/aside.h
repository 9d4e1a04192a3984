/* Context: S.  Work that opens files, aside from the program's descriptors. */
#ifndef ASIDE_H
#define ASIDE_H

#include <stdbool.h>

/*
 * Run fn(arg) in a thread of a moment that has a descriptor table of its own,
 * and wait: another thread of the program can neither see what is open
 * meanwhile nor be given another number than it would have been.  libc does not
 * know the thread: fn may not ask who it is.  Where no thread can be had fn
 * runs here.
 */
void aside(void (*fn)(void *), void *arg);

/* Is or was this thread one of those? */
bool aside_is(int tid);

#endif

/*
 * Context: T.  Reads the kernel's coarse clock without a system call: the time
 * of the last tick of the scheduler, from the vdso.  The start of the library
 * finds it (system_facts.c); thread_clock.c asks by it whether a tick has
 * passed.
 */
#ifndef COARSE_TIME_H
#define COARSE_TIME_H

#include <stdint.h>

/* Finds the function of the vdso.  For the start, once. */
void coarse_time_find(void);

/*
 * Returns CLOCK_MONOTONIC_COARSE in ns; 0 if there is no vdso.  May be called
 * in any thread and any signal handler; keeps errno.
 */
uint64_t coarse_time_now(void);

#endif

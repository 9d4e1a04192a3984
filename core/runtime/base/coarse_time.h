/*
 * Context: T.  Reads the kernel's coarse clock without a system call: the time
 * of the last tick of the scheduler, from the vdso.  thread_clock.c asks by it
 * whether a tick has passed.
 */
#ifndef COARSE_TIME_H
#define COARSE_TIME_H

#include <stdint.h>

/*
 * Returns CLOCK_MONOTONIC_COARSE in ns; 0 if there is no vdso.  The first call
 * finds the function in the vdso: most short programs never ask.  May be called
 * in any thread and any signal handler; keeps errno.
 */
uint64_t coarse_time_now(void);

#endif

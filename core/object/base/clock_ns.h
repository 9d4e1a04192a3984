/*
 * Context: O.  Reads a clock of the system as one number.  For the tools;
 * libmon.so reads clocks by code of its own.
 */
#ifndef CLOCK_NS_H
#define CLOCK_NS_H

#include <stdint.h>
#include <time.h>

/* Returns a time in ns. */
static inline uint64_t
clock_ns_of(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

/* Returns the time of a clock in ns, or 0 if there is no such clock. */
static inline uint64_t
clock_ns_now(clockid_t clock)
{
	struct timespec now;

	return clock_gettime(clock, &now) == 0 ? clock_ns_of(&now) : 0;
}

#endif

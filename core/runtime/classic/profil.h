/*
 * Context: T.  Implements profil(2) and sprofil(3) for their hooks
 * (hook_gmon.c), also for monitor(3C), whose histogram is set by them;
 * doc/design/histograms.md.
 */
#ifndef PROFIL_H
#define PROFIL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/profil.h>
#include <sys/time.h>

/*
 * CPU time of one count, ns: glibc's value, and that of __profile_frequency(),
 * 100 Hz.
 */
#define PROFIL_PERIOD	10000000u

/*
 * CPU time of one count, ns, for counters of more than 16 bits.  One of 16 bits
 * would be full after a minute.
 */
#define PROFIL_SHORT_PERIOD	1000000u

/*
 * Returns whether libmon can do the work of these functions; if not, libc's own
 * must be called.  A library that is only linked cannot before start_linked(),
 * which the hooks call first.  profil_set() and profil_set_regions() are called
 * only if it returns true.
 */
bool profil_is_ours(void);

/*
 * Ends the histograms that were set, because libmon can no longer count in
 * them.  Does nothing in a process that is not profiled.
 */
void profil_end(void);

/* Does what profil(2) does, but returns 0 or -errno. */
int profil_set(unsigned short *buffer, size_t size, size_t offset,
    unsigned scale);

/* Does what sprofil(3) does, but returns 0 or -errno. */
int profil_set_regions(const struct prof *region, int count,
    struct timeval *period, unsigned flags);

#endif

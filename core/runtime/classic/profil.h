/* Context: T.  profil(2) and sprofil(3); doc/internals.md, section 15. */
#ifndef PROFIL_H
#define PROFIL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/profil.h>
#include <sys/time.h>

/* CPU time of one count, ns: glibc's, and __profile_frequency()'s, 100 Hz. */
#define PROFIL_PERIOD	10000000u

/* The same where counters of more than 16 bits are not full in a minute. */
#define PROFIL_SHORT_PERIOD	1000000u

/* Can these be ours?  Else libc's own are to be called. */
bool profil_try_start(void);

/* They cannot any more: what was set before ends. */
void profil_end(void);

/* As the manual says, but -errno. */
int profil_set(unsigned short *buffer, size_t size, size_t offset,
    unsigned scale);
int profil_set_regions(const struct prof *region, int count,
    struct timeval *period, unsigned flags);

#endif

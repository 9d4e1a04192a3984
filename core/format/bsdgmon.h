/* Context: P.  gmon.out of the BSDs: read only. */
#ifndef BSDGMON_H
#define BSDGMON_H

#include "classic.h"

/*
 * u_long lpc, hpc; int ncnt, of the header and the bins in bytes; 4.4BSD adds
 * int version, int rate, int spare[3].  Then u16 bins, then arcs {u_long from,
 * self; long count} to the end.  FreeBSD sys/sys/gmon.h.
 */
#define BSDGMON_VERSION	0x51879u

classic_is bsdgmon_is, bsdgmon_is_old;
classic_reader bsdgmon_read, bsdgmon_read_old;
classic_whole bsdgmon_whole;

#endif

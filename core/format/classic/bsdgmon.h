/*
 * Context: P.  Reader of the gmon.out files of the BSDs, for classic.c alone.
 * libmon does not write them.
 */
#ifndef BSDGMON_H
#define BSDGMON_H

#include "classic/classic.h"

/*
 * Version number in the header of a 4.4BSD gmon.out.  The file is: u_long lpc,
 * hpc; int ncnt, the bytes of the header and the bins together; 4.4BSD adds int
 * version, int rate, int spare[3].  Then come u16 bins, then arcs {u_long from,
 * self; long count} to the end.  Source: FreeBSD sys/sys/gmon.h.
 */
#define BSDGMON_VERSION	0x51879u

/*
 * The functions of classic.h for this format; those named _old are for files
 * from before 4.4BSD, which have no version and no rate.
 */
classic_is bsdgmon_is, bsdgmon_is_old, bsdgmon_is_cut_old;
classic_reader bsdgmon_read, bsdgmon_read_old;
classic_whole bsdgmon_whole;

#endif

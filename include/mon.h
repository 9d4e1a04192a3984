/*
 * mon.h - execution profiles that a program takes of itself
 *
 * Of libmon.so, linked (-lmon) or preloaded; mon(3) is the manual.  Linked and
 * not preloaded, the library does nothing until one of these is called.
 *
 * Times are CPU time, user and system, of all threads.  Functions are safe in
 * threads; from signal handlers only as each says.
 */
#ifndef MON_H
#define MON_H

#include <stddef.h>
#include <sys/profil.h>	/* struct prof, sprofil, PROF_USHORT, PROF_UINT */
#include <unistd.h>		/* profil */

#ifdef __cplusplus
extern "C" {
#endif

#define MON_OUT		"mon.out"
#define MPROGS0		(150 * sizeof(WORD))
#define MSCALE0		4
#define BARSIZE		8	/* bytes of text for each WORD of a histogram */

typedef unsigned short WORD;

/* The first of a buffer, and of the file: mon_format(5). */
struct hdr {
	char *lpc;		/* lowest address that counts */
	char *hpc;		/* the first above */
	size_t nfns;		/* cells behind this */
};

/* Calls of one function. */
struct cnt {
	char *fnpc;		/* an address in it; NULL: the cell is free */
	long mcnt;		/* calls */
};

/*
 * Count from here on: in `buffer`, of bufsize WORDs, a header, nfunc cells for
 * counted calls and, in the rest, a histogram of [lowpc, highpc).  Nothing
 * where the buffer is too small or the range is empty, or where PROFDIR is in
 * the environment and empty.  Each further call adds its cells to those that
 * there are, and its histogram takes the place of the last.  A buffer belongs
 * to monitor until the call that ends it.  Cells without end: those that do not
 * fit are kept elsewhere.
 *
 * Calls are counted in what was built with -pg, -pg -mfentry or
 * -finstrument-functions.
 *
 * lowpc NULL: stop the histogram, fill in the cells, and write all to mon.out
 * in the current directory; with PROFDIR set to PROFDIR/PID.PROGRAM.  What
 * fails is said on stderr as perror(3) does.  Nothing where nothing was begun;
 * what is begun after it is a new profile.
 * A process that ends by exit(3), _exit(2) or, only linked, by a signal without
 * this call makes it.
 *
 * That call alone is safe in a signal handler.  From System V, release 4.
 */
void monitor(int (*lowpc)(void), int (*highpc)(void), WORD *buffer,
    size_t bufsize, size_t nfunc);

/*
 * On each signal `signo` from here on, write the file as monitor(NULL) does,
 * and count on.  0 or -1, errno as sigaction(2).  From Tru64.
 */
int monitor_signal(int signo);

/*
 * 0 pauses what monitor counts, calls too; another value goes on.  Where
 * monitor was not called it is the profile of a preloaded library that pauses,
 * and where there is none the C library's of gmon programs.  What it was
 * before, 0 or 1, or -1 where that is the C library's.  From 4.2BSD, the result
 * from AIX.
 */
int moncontrol(int mode);

/*
 * For sprofil, beside PROF_USHORT and PROF_UINT: counters of 64 bits.  HP-UX.
 */
#define PROF_UINT64	4

#ifdef __cplusplus
}
#endif

#endif

/*
 * mon.h - execution profiles that a program takes of itself
 *
 * Declares functions of libmon.so, linked (-lmon) or preloaded; mon(3) is the
 * manual.  If the library is linked and not preloaded, it does nothing until
 * the program calls one of these functions.
 *
 * Times are CPU time, user and system, of all threads.  All functions may be
 * called in any thread; in a signal handler only where the comment says so.
 */
#ifndef MON_H
#define MON_H

#include <stddef.h>
#include <sys/profil.h>	/* struct prof, sprofil, PROF_USHORT, PROF_UINT */
#include <unistd.h>		/* profil */

#ifdef __cplusplus
extern "C" {
#endif

/* Constants of System V's <mon.h>. */
#define MON_OUT		"mon.out"
#define MPROGS0		(150 * sizeof(WORD))
#define MSCALE0		4
#define BARSIZE		8	/* bytes of text for each WORD of a histogram */

typedef unsigned short WORD;

/* The header at the start of a buffer, and of the file: mon_format(5). */
struct hdr {
	char *lpc;		/* lowest address that counts */
	char *hpc;		/* lowest address above those that count */
	size_t nfns;		/* number of cells behind this header */
};

/* A cell: the calls of one function. */
struct cnt {
	char *fnpc;		/* an address in it; NULL: the cell is free */
	long mcnt;		/* number of calls */
};

/*
 * Begins to count.  `buffer`, of bufsize WORDs, receives a header, nfunc cells
 * for counted calls and, in the rest, a histogram of the addresses [lowpc,
 * highpc).  Does nothing if the buffer is too small, if the range is empty, if
 * PROFDIR is in the environment and empty, or in a program that runs with
 * privileges of another user or group.  Each further call adds its cells
 * to those that there are, and its histogram replaces the former one.  A buffer
 * belongs to monitor until the call that ends the counting.  The number of
 * cells has no limit: calls that do not fit are kept elsewhere.
 *
 * Calls are counted in code that was built with -pg, -pg -mfentry or
 * -finstrument-functions.
 *
 * With lowpc NULL, stops the histogram, fills in the cells, and writes all to
 * mon.out in the current directory or, if PROFDIR is set, to
 * PROFDIR/PID.PROGRAM.  Reports a failure on stderr as perror(3) does.  Does
 * nothing if nothing was begun.  The next call begins a new profile.  If a
 * process ends without this call by exit(3) or _exit(2), the library makes the
 * call; if the library is only linked, also when a signal ends the process.
 *
 * Only the call with lowpc NULL is safe in a signal handler.  From System V,
 * release 4.
 */
void monitor(int (*lowpc)(void), int (*highpc)(void), WORD *buffer,
    size_t bufsize, size_t nfunc);

/*
 * Makes each signal `signo` write the file as monitor(NULL) does, while the
 * counting goes on.  Returns 0, or -1 with errno as sigaction(2) sets it.  From
 * Tru64.
 */
int monitor_signal(int signo);

/*
 * Pauses the counting of monitor, calls included, if mode is 0; continues it
 * otherwise.  If monitor was not called, acts on the profile of a preloaded
 * library; if there is none, on that of the C library in gmon programs.
 * Returns the former state, 0 or 1, or -1 if the profile is that of the C
 * library or if there is none.  From 4.2BSD; the result is from AIX.
 */
int moncontrol(int mode);

/*
 * Selects counters of 64 bits in sprofil, beside PROF_USHORT and PROF_UINT.
 * From HP-UX.
 */
#define PROF_UINT64	4

#ifdef __cplusplus
}
#endif

#endif

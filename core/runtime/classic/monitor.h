/* Context: T.  monitor(3C); doc/internals.md, section 16. */
#ifndef MONITOR_H
#define MONITOR_H

#include "mon.h"

#include <stdbool.h>

/* What stands above this layer. */
struct monitor_callbacks {
	/* profil(2) as the program would call it. */
	int (*profil)(unsigned short *, size_t, size_t, unsigned);
	/* perror(3) with that errno, in a signal handler too. */
	void (*complain)(int error, const char *path);
};

/*
 * monitor(3C) with a range.  The buffer is monitor's until it stops.  Is this
 * the first since?
 */
bool monitor_start(char *low, char *high, WORD *buffer, size_t words,
    size_t cells, const struct monitor_callbacks *calls);

/*
 * Write the file, if something was begun, and stop, or let it go on.  From
 * signal handlers too.
 */
void monitor_write(bool stop);

/*
 * Writes the file and stops, if this process began monitor().  Hooks call it at
 * each end of a process, profiled or not.
 */
void monitor_end(void);

/* Writes the file as monitor_end() does, and lets the counting go on. */
void monitor_save(void);

/*
 * Tells that a process in which nothing is profiled is about to take a seccomp
 * filter, or that the kernel refused the filter: behind one, monitor_end() and
 * monitor_save() write nothing.  Returns whether that is a change.
 */
bool monitor_set_frozen(bool on);

/*
 * Takes back what monitor_set_frozen() noted for the process `child`, which
 * shared the caller's memory and no longer runs on it.  Does nothing if another
 * process took the filter.
 */
void monitor_clear_frozen(int child);

/*
 * Writes the file before another program image takes over, and stops the
 * histogram: the timer of libc's profil(3), which may count it, would kill that
 * image.  Returns whether monitor_exec_failed() is to start it again when exec
 * fails.
 */
bool monitor_before_exec(void);
void monitor_exec_failed(void);

/* moncontrol: 0 or 1, what it was, or -1 where nothing was begun. */
int monitor_moncontrol(int mode);

#endif

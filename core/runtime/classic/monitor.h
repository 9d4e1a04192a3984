/*
 * Context: T.  Implements monitor(3C); doc/design/monitor.md.
 *
 * Hooks call it in any process, profiled or not, also in a vfork child; so do
 * the seal, an exec and the freeze.  All but monitor_set_frozen() and
 * monitor_clear_frozen() work under one lock of this file, with all signals
 * blocked but those that an instruction raises.  All but these two and
 * monitor_start() may be called in signal handlers.
 */
#ifndef MONITOR_H
#define MONITOR_H

#include "mon.h"

#include <stdbool.h>

/* Functions of the layer above, which monitor calls. */
struct monitor_callbacks {
	/* Calls profil(2) as the program would call it. */
	int (*profil)(unsigned short *, size_t, size_t, unsigned);
	/*
	 * Prints `path` and the text of the errno `error`, as perror(3) does;
	 * in a signal handler too.  NULL: prints nothing.
	 */
	void (*complain)(int error, const char *path);
};

/*
 * Begins to count as monitor(3C) does.  low, high: the range of the histogram.
 * buffer: memory of the program, `words` WORDs, which belongs to monitor until
 * it stops.  cells: cells for calls in the buffer.  Returns true if monitor was
 * not running before; false also if it does not begin.
 */
bool monitor_start(char *low, char *high, WORD *buffer, size_t words,
    size_t cells, const struct monitor_callbacks *calls);

/*
 * Writes the file, also behind a filter, if monitor is running, and then stops
 * if `stop`.
 */
void monitor_write(bool stop);

/*
 * Writes the file and stops, if this process began monitor().  Called at each
 * end of a process that libmon sees, profiled or not.  Does nothing in a thread
 * under a seccomp filter that came since, which may kill for opening the file.
 */
void monitor_end(void);

/* Writes the file as monitor_end() does, but does not stop. */
void monitor_save(void);

/*
 * Notes that a process in which nothing is profiled is about to take a seccomp
 * filter (on), or that the kernel refused the filter (off).  Behind a filter,
 * monitor_end() and monitor_save() write nothing.  Returns whether the state
 * changed.
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
 * image.  Returns whether the caller must call monitor_exec_failed(), which
 * starts the histogram again, if exec fails.
 */
bool monitor_before_exec(void);

/* Starts the histogram again after an exec that has failed. */
void monitor_exec_failed(void);

/*
 * Does what moncontrol() does with the counting of monitor.  Returns the former
 * state, 0 or 1, or -1 if monitor is not running.
 */
int monitor_moncontrol(int mode);

#endif

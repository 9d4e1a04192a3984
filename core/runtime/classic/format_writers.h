/*
 * Context: T.  Writes files in the formats of other profilers for this process:
 * format= of mon(7), and the gmon.out of programs that are linked with libmon.
 * The seal, an exec (life/exec_image.c), the hooks of libc's profiler and the
 * handler of signals that kill (hook_fatal_signal.c) call it.
 */
#ifndef FORMAT_WRITERS_H
#define FORMAT_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes the file that was asked for, if any, unless nothing was counted, or
 * the calling thread is under a seccomp filter that may kill for opening it.
 * Called at the end of a process image, while its profile is still mapped; in a
 * library that is only linked, also by the handler of a signal that kills.
 */
void format_writers_run(void);

/*
 * Begins the writing of gmon.out by a library that is only linked: from here
 * on, for fork children too, that file is the program's whole profile.  It is
 * written at the end of the process or by format_writers_end_gmon().
 */
void format_writers_begin_gmon(void);

/* Writes that gmon.out and ends it; _mcleanup(3) calls this. */
void format_writers_end_gmon(void);

/*
 * Writes a whole file.  Called by format_writers.c, one at a time, while there
 * is a profile.  Returns 0 or -errno; -ENODATA: there is nothing to write,
 * -ERANGE: the format cannot hold it.
 */
typedef int writer(const char *path);
writer write_gmon;		/* GNU's gmon.out of the executable */
writer write_monout;		/* System V's mon.out of the executable */
writer write_profout;		/* Solaris's mon.out of all modules */

#endif

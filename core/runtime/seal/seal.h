/*
 * Context: T.  Ends a profile, at the end of its process, in any thread; for
 * exit handlers, the destructor and hooks of exit calls, also in a signal
 * handler.  seal_exec.h does so before an exec.  A profile without this end is
 * valid as well: the seal adds times and the reason, and truncates the file.
 */
#ifndef SEAL_H
#define SEAL_H

#include "format.h"

/*
 * Stops the clocks, writes the reason and the times of the end, and truncates
 * the file to the part in use.  Creates the file first if the process must have
 * one although nothing was counted.  Writes the files of monitor(3C) and
 * format=.  Behind a seccomp filter does none of this: the file stays live.
 * status: exit status, -1 if not known.  Does nothing at a second call, in a
 * vfork child and in a process that is not profiled.
 */
void seal_process(enum format_end end, int status);

/*
 * Seals the file if the calling thread is the last of the process.  The thread
 * is about to end by exit(2) with this status, which runs no exit handler.
 */
void seal_thread(int status);

#endif

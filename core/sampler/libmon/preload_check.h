/*
 * Context: O.  Checks whether libmon.so can be preloaded into a command, before
 * tprof monitor and prof record choose between libmon.so and the kernel, and
 * before prof doctor runs its shell.  Runs nothing.
 */
#ifndef PRELOAD_CHECK_H
#define PRELOAD_CHECK_H

#include <stddef.h>

/* The verdict. */
enum preload_check {
	PRELOAD_CHECK_OK,
	PRELOAD_CHECK_NOT_FOUND,
	/* may not be executed, is no regular file, or lies out of reach */
	PRELOAD_CHECK_NOT_RUN,
	PRELOAD_CHECK_STATIC,
	/* it gains privileges: the loader drops LD_PRELOAD */
	PRELOAD_CHECK_PRIVILEGED,
	PRELOAD_CHECK_CPU,		/* another ELF class or machine */
	/* another loader; musl's would end the program */
	PRELOAD_CHECK_LIBC,
	/* more nested scripts than are followed */
	PRELOAD_CHECK_NESTED,
	PRELOAD_CHECK_COUNT,
};

/*
 * Checks a command.  Looks it up like execvp(3) and follows "#!", with the user
 * and the PATH of this process.  file: NULL, or a buffer of `bytes` bytes for
 * the path of the file that the verdict is about; for a script that is its
 * interpreter.  The buffer gets "" if the search in PATH found no file that may
 * be executed, also for PRELOAD_CHECK_NOT_RUN.  Returns the verdict;
 * PRELOAD_CHECK_OK also for a file that cannot be opened for reading.
 */
enum preload_check preload_check_command(const char *command, char *file,
    size_t bytes);

/*
 * Returns the verdict as the rest of a sentence about the file: "is statically
 * linked"; for PRELOAD_CHECK_OK "is suited".
 */
const char *preload_check_text(enum preload_check s);

#endif

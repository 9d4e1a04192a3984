/*
 * Context: T.  Notes whether the program wants a gmon.out, and of which code:
 * its call of monstartup(3) says so.  A library that is only linked writes that
 * file as the program's whole profile.  The hooks of libc's profiler
 * (hook_gmon.c) write it, the writers of files and clock_demand.c read it.
 */
#ifndef GMON_REQUEST_H
#define GMON_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Notes that the program has called monstartup(3), as crt1 of -pg does, and
 * that libmon takes the place of libc's profiler.  low, high: run-time
 * addresses of code.  The first range stays in force until
 * gmon_request_reset_range(), which the hook of _mcleanup(3) calls.
 */
void gmon_request_expect(uintptr_t low, uintptr_t high);

/*
 * Ends that range, so that the next gmon_request_expect() sets another.
 */
void gmon_request_reset_range(void);

/* Returns whether gmon_request_expect() was called. */
bool gmon_request_is_expected(void);

/*
 * Reduces the range [*low, *high), of addresses in the executable's file, to
 * the one that monstartup() was given, as far as that is code of the
 * executable.  Otherwise leaves it alone.  bias: load bias of the executable.
 */
void gmon_request_clip(uint64_t bias, uint64_t *low, uint64_t *high);

/*
 * Notes that gmon.out is the program's whole profile from here on, in fork
 * children too, and notes PROFDIR and the process.  Only in a linked library.
 */
void gmon_request_begin(void);

/* Returns whether it has begun and not ended. */
bool gmon_request_has_begun(void);

/* Notes the end of it.  Returns whether it had begun. */
bool gmon_request_end(void);

/* Returns whether the calling process began it, and not its parent. */
bool gmon_request_is_own(void);

/*
 * Returns the directory that PROFDIR named when it began, or "".  Valid until
 * the next gmon_request_begin().
 */
const char *gmon_request_directory(void);

#endif

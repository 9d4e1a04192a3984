/* Context: T.  Files of other profilers, of this process: format= of mon(7). */
#ifndef FORMAT_WRITERS_H
#define FORMAT_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Before the file is sealed: the one that was asked for.  Nothing where none
 * was, or nothing was counted.
 */
void format_writers_run(void);

/*
 * The program's monstartup(3), in run-time addresses, as crt1 of -pg has it:
 * what it would have written is gmon.out.  The first range holds until
 * format_writers_reset_range(), which _mcleanup(3) calls.
 */
void format_writers_expect_gmon(uintptr_t low, uintptr_t high);
void format_writers_reset_range(void);

/* As far as that is code of the executable; else all of it.  In its file. */
void format_writers_clip_gmon(uint64_t bias, uint64_t *low, uint64_t *high);

/*
 * Only linked, the program's profile is that file alone: from here on, for
 * fork children too, and until the end, or _mcleanup(3).
 */
void format_writers_begin_gmon(void);
bool format_writers_has_gmon(void);
void format_writers_end_gmon(void);

/*
 * Each writes a whole file.  0 or -errno; -ENODATA: there is nothing to write,
 * -ERANGE: the format cannot hold it.
 */
typedef int writer(const char *path);
writer write_gmon;		/* gmon.out of GNU: the executable */
writer write_monout;		/* mon.out of System V: the executable */
writer write_profout;		/* mon.out of Solaris: all modules */

#endif

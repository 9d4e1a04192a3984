/*
 * Context: P.  Writes the parts of a mon.out of Solaris.  Inline, for
 * write_profout.c of libmon.so and export_profout.c of the tools.  profout.h
 * has the layout.
 */
#ifndef PROFOUT_PUT_H
#define PROFOUT_PUT_H

#include "classic/profout.h"

/* Fills PROFOUT_HEADER bytes at `to`. */
static inline void
profout_put_header(unsigned char *to)
{
	to = bytes_put(to, PROFOUT_MAGIC, 4);
	to = bytes_put(to, PROFOUT_MAJOR, 2);
	to = bytes_put(to, 0, 2);
	bytes_put(to, PROFOUT_HEADER, 8);
}

/*
 * Fills PROFOUT_OBJECT bytes at `to`; `bytes` is the size of the whole object,
 * its head included.
 */
static inline void
profout_put_object(unsigned char *to, enum profout_type type, uint64_t bytes)
{
	to = bytes_put(to, type, 4);
	to = bytes_put(to, PROFOUT_VERSION, 4);
	bytes_put(to, bytes, 8);
}

#endif

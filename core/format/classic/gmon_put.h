/*
 * Context: P.  Writes the parts of a gmon.out of GNU, for 64-bit little-endian
 * machines.  Inline, for write_gmon.c of libmon.so and export_gmon.c of the
 * tools.  gmon.h has the layout.
 */
#ifndef GMON_PUT_H
#define GMON_PUT_H

#include "classic/gmon.h"

#include <string.h>

/*
 * gmon_put_header() fills GMON_HEADER bytes at `to`, gmon_put_hist()
 * GMON_HIST_BYTES, and gmon_put_arc() GMON_ARC_BYTES.
 */
static inline void
gmon_put_header(unsigned char *to)
{
	memset(to, 0, GMON_HEADER);
	memcpy(to, GMON_MAGIC, 4);
	bytes_put(to + 4, GMON_VERSION, 4);
}

static inline void
gmon_put_hist(unsigned char *to, uint64_t low, uint64_t high, uint32_t bins,
    uint32_t rate)
{
	static const char dimension[GMON_DIMENSION] = "seconds";

	*to++ = GMON_HIST;
	to = bytes_put(to, low, 8);
	to = bytes_put(to, high, 8);
	to = bytes_put(to, bins, 4);
	to = bytes_put(to, rate, 4);
	memcpy(to, dimension, GMON_DIMENSION);
	to[GMON_DIMENSION] = 's';
}

static inline void
gmon_put_arc(unsigned char *to, uint64_t from, uint64_t self, uint32_t count)
{
	*to++ = GMON_ARC;
	to = bytes_put(to, from, 8);
	to = bytes_put(to, self, 8);
	bytes_put(to, count, 4);
}

#endif

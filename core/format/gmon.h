/* Context: P.  gmon.out of GNU, and its cousin of LD_PROFILE. */
#ifndef GMON_H
#define GMON_H

#include "classic.h"

/*
 * "gmon", i32 version, 12 spare bytes; then records, each behind a byte that
 * tells its kind.  Byte order and width are those of the program.
 * glibc gmon/sys/gmon_out.h, read in 2.42; binutils gprof/gmon_io.c, 2.45.
 */
#define GMON_MAGIC	"gmon"
#define GMON_HEADER	20u
#define GMON_VERSION	1u
#define GMON_SPROF	0x1ffffu
#define GMON_DIMENSION	15u	/* "seconds", then a byte: 's' */

enum gmon_tag { GMON_HIST, GMON_ARC, GMON_BLOCKS };

/* As the 64-bit machines of libmon have them, their tag included. */
#define GMON_HIST_BYTES	(1u + 40u)
#define GMON_ARC_BYTES	(1u + 20u)
#define GMON_BIN_MOST	UINT16_MAX
#define GMON_ARC_MOST	UINT32_MAX

classic_is gmon_is, gmon_is_sprof;
classic_reader gmon_read, gmon_read_sprof;
classic_whole gmon_whole;

#endif

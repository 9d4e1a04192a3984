/*
 * Context: P.  Reader and layout of the gmon.out of GNU, and of the related
 * file that LD_PROFILE writes.  classic.c reads; gmon_put.h and the writers in
 * libmon.so and core/export use the sizes.
 */
#ifndef GMON_H
#define GMON_H

#include "classic/classic.h"

/*
 * The file is "gmon", i32 version, 12 spare bytes; then records, each after a
 * byte that tells its kind.  Byte order and word size are those of the program.
 * Sources: glibc gmon/sys/gmon_out.h, read in 2.42; binutils gprof/gmon_io.c,
 * 2.45.
 */
#define GMON_MAGIC	"gmon"
#define GMON_HEADER	20u
#define GMON_VERSION	1u
#define GMON_SPROF	0x1ffffu
#define GMON_DIMENSION	15u	/* bytes: "seconds", then a byte 's' */

/* The byte that tells the kind of a record. */
enum gmon_tag { GMON_HIST, GMON_ARC, GMON_BLOCKS };

/* Sizes on the 64-bit machines of libmon, with the tag, and largest counts. */
#define GMON_HIST_BYTES	(1u + 40u)
#define GMON_ARC_BYTES	(1u + 20u)
#define GMON_BIN_MOST	UINT16_MAX
#define GMON_ARC_MOST	UINT32_MAX

/*
 * The functions of classic.h for gmon.out and (_sprof) for LD_PROFILE's file.
 */
classic_is gmon_is, gmon_is_sprof;
classic_reader gmon_read, gmon_read_sprof;
classic_whole gmon_whole;

#endif

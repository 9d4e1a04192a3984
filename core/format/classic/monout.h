/*
 * Context: P.  Layout, reader and writer of the mon.out that monitor(3C)
 * writes, as SVR4 and earlier systems have it.  classic.c and the listing read,
 * core/export writes.  libmon.so uses the layout and the scale alone, and
 * writes by code of its own.
 */
#ifndef MONOUT_H
#define MONOUT_H

#include "classic/classic.h"

/*
 * The file is struct hdr {char *lpc, *hpc; size_t nfns}, then struct cnt {char
 * *fnpc; long mcnt} for each cell, then u16 bins to the end of the file.  It
 * has no magic number and no rate.  Source: illumos usr/src/head/mon.h.
 */
#define MONOUT_HEADER_BYTES	24u	/* 64 bits */
#define MONOUT_CELL_BYTES	16u
#define MONOUT_BIN_MOST		UINT16_MAX

/*
 * Returns the scale that monitor(3C) gives profil(2) for `bins` bins and a text
 * of `text` units of 2 bytes.  The scale is rounded down, and never 1:1, so
 * that bins are not equal parts of the range; a bin can be up to bins / scale
 * away from where an equal part would be.
 */
static inline uint32_t
monout_scale(uint64_t bins, uint64_t text)
{
	return bins >= text ? 0xffff : (uint32_t)(bins * 65536 / text);
}

/* The functions of classic.h for this format. */
classic_is monout_is, monout_is_cut;
classic_reader monout_read;

/* Layout of a file that monout_read() has checked. */
struct monout_shape {
	struct classic_range range;	/* as its header gives it */
	uint64_t cells;
	uint64_t used;		/* bytes up to the last counter that is not 0 */
};

/* Fills *s from a file that monout_read() has checked. */
void monout_shape(const struct classic *c, struct monout_shape *s);

/*
 * Fills MONOUT_HEADER_BYTES bytes at `to` with a header, or (_cell)
 * MONOUT_CELL_BYTES bytes with a cell.  The address of a cell is behind the
 * first byte of the function.  For tools.
 */
void monout_put_header(unsigned char *to, uint64_t low, uint64_t high,
    uint64_t cells);
void monout_put_cell(unsigned char *to, uint64_t address, uint64_t calls);

#endif

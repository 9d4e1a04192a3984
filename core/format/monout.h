/* Context: P.  mon.out of monitor(3C): the layout of SVR4 and before. */
#ifndef MONOUT_H
#define MONOUT_H

#include "classic.h"

/*
 * struct hdr {char *lpc, *hpc; size_t nfns}, then struct cnt {char *fnpc; long
 * mcnt} for each cell, then u16 bins to the end of the file.  No magic number,
 * no rate.  illumos usr/src/head/mon.h.
 */
#define MONOUT_HEADER_BYTES	24u	/* 64 bits */
#define MONOUT_CELL_BYTES	16u
#define MONOUT_BIN_MOST		UINT16_MAX

/*
 * The scale that monitor(3C) gives profil(2) for as many bins, and words of
 * text: rounded down, and never 1:1, so that bins are no equal parts of the
 * range, and up to bins / scale from where those would be.
 */
static inline uint32_t
monout_scale(uint64_t bins, uint64_t text)
{
	return bins >= text ? 0xffff : (uint32_t)(bins * 65536 / text);
}

classic_is monout_is;
classic_reader monout_read;

/* Of a file that monout_read() has checked. */
struct monout_shape {
	struct classic_range range;	/* as its header has it */
	uint64_t cells;
	uint64_t used;		/* up to the last that counts something */
};

void monout_shape(const struct classic *c, struct monout_shape *s);

/* A cell's address is behind the first byte of the function. */
void monout_put_header(unsigned char *to, uint64_t low, uint64_t high,
    uint64_t cells);
void monout_put_cell(unsigned char *to, uint64_t address, uint64_t calls);

#endif

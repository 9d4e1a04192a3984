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

classic_is monout_is;
classic_reader monout_read;

/* A cell's address is behind the first byte of the function. */
void monout_put_header(unsigned char *to, uint64_t low, uint64_t high,
    uint64_t cells);
void monout_put_cell(unsigned char *to, uint64_t address, uint64_t calls);

#endif

/*
 * Context: S.  Fills in what a new file says of the process and of how it is
 * counted.
 */
#ifndef HEADER_FILL_H
#define HEADER_FILL_H

#include "format.h"

/*
 * Fills in the header of a new file, for the first image of a process.  h:
 * FORMAT_HEADER bytes, all zero; cap: largest size of the file, bytes.
 */
void header_fill_fixed(struct format_header *h, uint64_t cap);

/*
 * Writes the texts (paths, command line, host, options) into the file, with
 * their indexes into the header.  The store has to take records already.  For
 * private_fds_run(); header: the struct format_header; uses birth_scratch.
 * Returns 0 or PRIVATE_FDS_RETRY.
 */
int header_fill_texts(void *header);

#endif

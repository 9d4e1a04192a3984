/*
 * Context: S.  Fills in what a new file says of the process and of how it is
 * counted, for store_create.c, in the thread that makes the file or a helper
 * thread of it.
 */
#ifndef HEADER_FILL_H
#define HEADER_FILL_H

#include "format.h"

/*
 * Fills in the header of a new file, for the first image of a process.  h:
 * FORMAT_HEADER bytes, all zero; cap: largest size of the file, bytes.  Opens a
 * descriptor of /proc; see proc_info.h.
 */
void header_fill_fixed(struct format_header *h, uint64_t cap);

/*
 * Writes the texts (paths, command line, host, options) into the file, with
 * their indexes into the header.  A text without room is left out.  The store
 * has to take records already; other threads may count meanwhile.  header: the
 * struct format_header.  Uses birth_scratch.  private_fds_run() runs it.
 * Returns 0 or PRIVATE_FDS_RETRY.
 */
int header_fill_texts(void *header);

#endif

/* Context: S.  What the file says of the process and of how it is counted. */
#ifndef HEADER_FILL_H
#define HEADER_FILL_H

#include "format.h"

/* The whole header of a file that begins, of a first image; zero before. */
void header_fill_fixed(struct format_header *h, uint64_t cap);

/*
 * What needs room of its own, once the store takes records.  For
 * private_fds_run(); uses birth_scratch.
 */
int header_fill_texts(void *header);

#endif

/* Context: S.  What the file says of the process and of how it is counted. */
#ifndef FACTS_H
#define FACTS_H

#include "format.h"

/* The whole header of a file that begins, of a first image; zero before. */
void facts_fill(struct format_header *h, uint64_t cap);

/*
 * What needs room of its own, once the store takes records.  For aside(); uses
 * birth_scratch.
 */
int facts_texts(void *header);

#endif

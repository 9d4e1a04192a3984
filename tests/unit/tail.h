/* Context: O.  Buffers that end at an unmapped page, for tests of parsers. */
#ifndef TAIL_H
#define TAIL_H

#include <stddef.h>

/* A copy whose last byte is the last of its mapping: one more faults.  A test
 * that runs out of memory is aborted. */
unsigned char *tail_copy(const void *bytes, size_t size);
void tail_free(unsigned char *copy, size_t size);

#endif

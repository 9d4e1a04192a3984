/*
 * Context: O.  Decompresses gzip files, with zlib (inflate.c) or, in a build
 * without it (inflate_none.c), not at all.  For import_open() alone.
 */
#ifndef INFLATE_H
#define INFLATE_H

#include "fault.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the bytes begin as a gzip file. */
static inline bool
inflate_is(const unsigned char *bytes, size_t size)
{
	return size > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/*
 * Decompresses `bytes` to *to, which the caller frees with free(3) in any case
 * and whose size is limited to some hundred times `size`.  Returns 0, or -errno
 * with *f set.  If the data are damaged or cut short (-EINVAL), *to has what
 * came before the damage, or is NULL if nothing did.  After any other error,
 * and if the result would be too large, *to is NULL.
 */
int inflate_all(const unsigned char *bytes, size_t size, unsigned char **to,
    size_t *to_size, struct fault *f);

#endif

/*
 * Context: O.  Stands in place of inflate.c in builds without zlib: tells
 * import_open() that compressed files cannot be read.
 */
#include "base/inflate.h"

#include <errno.h>

int
inflate_all(const unsigned char *bytes, size_t size, unsigned char **to,
    size_t *to_size, struct fault *f)
{
	(void)bytes;
	(void)size;
	*to = NULL;
	*to_size = 0;
	fault_set(f, "is compressed, and prof was built without zlib",
	    FAULT_NO_OFFSET, 0);
	f->remedy = "use gunzip";
	return -ENOTSUP;
}

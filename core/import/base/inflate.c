/*
 * Context: O.  Decompresses gzip files with zlib, in bounded memory, for
 * import_open(); see inflate.h.
 */
#include "base/inflate.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

/* The largest window, and a gzip header */
#define INFLATE_WINDOW	(15 + 16)

/*
 * Most bytes that a compressed byte may give.  Profiles shrink to a fifth,
 * texts of equal lines to a hundredth; a file made to fill memory shrinks to a
 * thousandth.
 */
#define INFLATE_TIMES	256
#define INFLATE_LEAST	65536u

/*
 * Doubles the room for the result, up to the bound that the file's size,
 * `size`, gives, and sets the place where zlib writes on.  Returns 0, or -errno
 * with *f set and *to as it was.
 */
static int
grow_inflate_buffer(z_stream *z, unsigned char **to, size_t *room, size_t size,
    struct fault *f)
{
	const size_t used = *room;
	unsigned char *more;

	if (used > UINT_MAX / 2 ||
	    used / INFLATE_TIMES > size + INFLATE_LEAST / INFLATE_TIMES)
		return fault_set(f, "is too large for a profile when it is "
		    "decompressed", FAULT_NO_OFFSET, 0);
	*room = used == 0 ? INFLATE_LEAST : used * 2;
	more = realloc(*to, *room);
	if (more == NULL)
		return fault_set_no_memory(f);
	*to = more;
	z->next_out = more + used;
	z->avail_out = (unsigned)(*room - used);
	return 0;
}

/*
 * Returns whether another member follows.  A file can have several members, one
 * behind the other; zeros after the last are padding.
 */
static bool
has_more(const z_stream *z)
{
	for (unsigned i = 0; i < z->avail_in; i++)
		if (z->next_in[i] != 0)
			return true;
	return false;
}

/*
 * Decompresses all members of the file.  *to is allocated, also after an error;
 * it is NULL if it would be too large or memory is out.
 */
static int
inflate_stream(z_stream *z, unsigned char **to, size_t *to_size, size_t size,
    struct fault *f)
{
	size_t room = 0;
	int ret = 0, got = Z_OK;

	while (ret == 0 && got != Z_STREAM_END) {
		if (z->avail_out == 0)
			ret = grow_inflate_buffer(z, to, &room, size, f);
		if (ret != 0) {
			free(*to);
			*to = NULL;
			break;
		}
		got = inflate(z, Z_NO_FLUSH);
		if (got == Z_STREAM_END && has_more(z))
			got = inflateReset(z);
		if (got == Z_MEM_ERROR)
			ret = fault_set_no_memory(f);
		else if (got != Z_OK && got != Z_STREAM_END)
			ret = fault_set(f, z->avail_in == 0 ?
			    "is compressed and truncated" :
			    "is compressed and damaged",
			    size - z->avail_in, 0);
	}
	*to_size = room - z->avail_out;
	return ret;
}

int
inflate_all(const unsigned char *bytes, size_t size, unsigned char **to,
    size_t *to_size, struct fault *f)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)bytes };
	int ret;

	*to = NULL;
	if (size > UINT_MAX)
		return fault_set(f, "is too large to be decompressed; use "
		    "gunzip",
		    FAULT_NO_OFFSET, 0);
	z.avail_in = (unsigned)size;
	if (inflateInit2(&z, INFLATE_WINDOW) != Z_OK)
		return fault_set_no_memory(f);
	ret = inflate_stream(&z, to, to_size, size, f);
	inflateEnd(&z);
	if (ret != 0 && (ret != -EINVAL || *to_size == 0)) {
		free(*to);
		*to = NULL;
	}
	return ret;
}

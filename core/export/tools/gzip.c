/*
 * Context: O.  Writes bytes as a gzip file, with zlib, for the exporter of
 * pprof; see gzip.h.
 */
#include "tools/gzip.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

/* The largest window, and a gzip header */
#define GZIP_WINDOW	(15 + 16)
#define GZIP_MEMORY	8		/* zlib's own default */

int
gzip_open(struct gzip *g, FILE *out)
{
	memset(g, 0, sizeof(*g));
	g->out = out;
	return deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
	    GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK ? 0 :
	    -ENOMEM;
}

/* Compresses what g->z has, and writes what comes of it. */
static void
deflate_stream(struct gzip *g, int flush)
{
	unsigned char room[16384];
	int ret;

	do {
		g->z.next_out = room;
		g->z.avail_out = sizeof(room);
		ret = deflate(&g->z, flush);
		fwrite(room, 1, sizeof(room) - g->z.avail_out, g->out);
	} while (g->z.avail_out == 0 && ret != Z_STREAM_END);
}

void
gzip_write(struct gzip *g, const void *bytes, size_t count)
{
	while (count > 0) {
		const unsigned now = count < UINT_MAX / 2 ? (unsigned)count :
		    UINT_MAX / 2;

		g->z.next_in = (unsigned char *)(uintptr_t)bytes;
		g->z.avail_in = now;
		deflate_stream(g, Z_NO_FLUSH);
		bytes = (const unsigned char *)bytes + now;
		count -= now;
	}
}

void
gzip_close(struct gzip *g)
{
	g->z.next_in = NULL;
	g->z.avail_in = 0;
	deflate_stream(g, Z_FINISH);
	deflateEnd(&g->z);
}

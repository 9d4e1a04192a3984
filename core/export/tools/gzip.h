/* Context: O.  Writes bytes as a gzip file, for the exporter of pprof. */
#ifndef GZIP_H
#define GZIP_H

#include <stddef.h>
#include <stdio.h>
#include <zlib.h>

/* A gzip file that is being written. */
struct gzip {
	FILE *out;
	z_stream z;
};

/*
 * Begins a gzip file in `out`, which stays the caller's.  Returns 0, or -ENOMEM
 * and then gzip_close() must not be called; errors of `out` are found by
 * closing it.
 */
int gzip_open(struct gzip *g, FILE *out);
/* Compresses and writes `count` bytes. */
void gzip_write(struct gzip *g, const void *bytes, size_t count);
/* Writes the rest and frees the memory, but does not close `out`. */
void gzip_close(struct gzip *g);

#endif

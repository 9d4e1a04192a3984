/* Context: O.  Bytes into a gzip file. */
#ifndef GZIP_H
#define GZIP_H

#include <stddef.h>
#include <stdio.h>
#include <zlib.h>

struct gzip {
	FILE *out;
	z_stream z;
};

/* 0 or -ENOMEM.  That `out` fails is told when it is closed. */
int gzip_open(struct gzip *g, FILE *out);
void gzip_write(struct gzip *g, const void *bytes, size_t count);
void gzip_close(struct gzip *g);

#endif

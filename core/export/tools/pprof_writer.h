/*
 * Context: O.  Writes the parts of a pprof profile as they are made, and
 * numbers its texts.  For export_pprof.c and pprof_places.c.
 */
#ifndef PPROF_WRITER_H
#define PPROF_WRITER_H

#include "base/arena.h"
#include "base/string_pool.h"
#include "tools/gzip.h"

#include <pprof.pb-c.h>	/* protoc-c makes it */
#include <stdbool.h>
#include <stdint.h>

/* The profile that is being written. */
struct pprof_writer {
	struct gzip zip;	/* opened and closed by the owner */
	struct arena *arena;	/* keeps texts that are changed */
	struct string_pool strings;
	bool failed;		/* memory was out */
};

/*
 * Returns the number of a text, which must live until
 * pprof_writer_put_strings().  Sets `failed` if memory is out.
 */
int64_t pprof_writer_string(struct pprof_writer *w, const char *text);

/*
 * Writes a part of the profile.  A message is equal to its parts written one
 * behind the other.  Sets `failed` if memory is out.
 */
void pprof_writer_put(struct pprof_writer *w, const Pprof__Profile *part);

/* Writes all texts, which must be the last part. */
void pprof_writer_put_strings(struct pprof_writer *w);

#endif

/*
 * Context: O.  The places of samples in a pprof profile: mappings, functions
 * and locations, each of which is written once.  For export_pprof.c.
 */
#ifndef PPROF_PLACES_H
#define PPROF_PLACES_H

#include "base/key_table.h"
#include "derive/sample_paths.h"
#include "tools/pprof_writer.h"

/* The places that were written. */
struct pprof_places {
	struct pprof_writer *to;
	struct sample_paths *in;
	struct model *model;
	bool *met;		/* by site: it has been written */
	/* a: function, b: file, as each function of pprof has one file */
	struct key_table functions;
};

/*
 * Begins with no places written; `in` is open.  Returns 0 or -ENOMEM;
 * pprof_places_close() must be called in either case.
 */
int pprof_places_open(struct pprof_places *p, struct pprof_writer *to,
    struct sample_paths *in);
/* Frees the record of places. */
void pprof_places_close(struct pprof_places *p);

/* Writes the mappings of all modules that have places. */
void pprof_places_put_mappings(struct pprof_places *p);

/*
 * Returns the number of the location of a site, from 1 on.  The location and
 * its functions are written when they are first met.  Sets to->failed if memory
 * is out.
 */
uint64_t pprof_places_location(struct pprof_places *p, uint32_t site);

#endif

/*
 * Context: O.  Chooses which of the values of a pprof sample is read, and finds
 * its unit.  For the reader (pprof.c).
 */
#ifndef PPROF_VALUES_H
#define PPROF_VALUES_H

#include "pprof_tables.h"

/* The values of a sample that are read, by their place among them. */
struct pprof_values {
	size_t chosen;
	size_t counts;		/* number of samples: place + 1, 0: none */
};

/*
 * Chooses a value of samples as pprof does: the one of the type that is named
 * `choice`, else the default of the file, else the last.  *v must be all 0, and
 * the tables must have a type.  Returns false if there is no type named
 * `choice`.
 */
bool pprof_values_choose(struct pprof_values *v, const struct pprof_tables *t,
    struct text choice);

/*
 * Sets `unit`, `each_ns` and `asleep` of *x to those of the chosen value.  If
 * that is the number of samples, each stands for a period.
 */
void pprof_values_set_unit(const struct pprof_values *v,
    const struct pprof_tables *t, struct import *x);

#endif

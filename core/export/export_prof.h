/* Context: O.  mon.out of Solaris: samples, calls and modules in one file. */
#ifndef EXPORT_PROF_H
#define EXPORT_PROF_H

#include "extract.h"

/* The main program first.  0 or -errno with *f set. */
int export_prof(FILE *out, const struct model *m, struct extract *parts,
    size_t count, struct fault *f);

#endif

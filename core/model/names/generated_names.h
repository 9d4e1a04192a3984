/*
 * Context: O.  Names code that a compiler made at run time, for
 * symbolize_all().  Reads files that the profiled program or another user may
 * have written.
 */
#ifndef GENERATED_NAMES_H
#define GENERATED_NAMES_H

#include "names/symbol_batch.h"

/*
 * Names the symbols of a batch, whose rows are of one process and in no module,
 * after symbol_batch_collect().  Tries jitdumps of the process, then its perf
 * map in /tmp as a running process sees it, then that in our own /tmp; once a
 * jitdump has named a symbol, no map is tried.  Names nothing if the process is
 * not known or not of our pid namespace.  Returns 0, or -ENOMEM; a file that
 * cannot be read is no error.
 */
int generated_names_find(struct model *m, struct symbol_batch *b);

#endif

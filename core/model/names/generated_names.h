/* Context: O.  Names code that a compiler made at run time. */
#ifndef GENERATED_NAMES_H
#define GENERATED_NAMES_H

#include "names/symbol_batch.h"

/*
 * Names the symbols of a batch of generated code.  A jitdump or a perf map
 * names what it has; what it does not name is not looked up in another one.
 * Returns 0, or -ENOMEM.
 */
int generated_names_find(struct model *m, struct symbol_batch *b);

#endif

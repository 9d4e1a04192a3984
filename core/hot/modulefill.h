/* Context: S.  The table of modules, filled from the memory map. */
#ifndef MODULEFILL_H
#define MODULEFILL_H

#include "state.h"

/*
 * Fills `fresh` with what runs in this process, from its memory map.  What is
 * as it was in `old` is taken from there, unless `reread`, when its headers are
 * compared too.  Records of what went are marked, and text that went is
 * forgotten everywhere.  0, or -errno, and nothing is in `fresh`; ASIDE_AGAIN:
 * see aside.h.
 */
int modulefill_read(const struct module_table *old,
    struct module_table *fresh, bool reread);

/* The range that holds pc; NULL: there is none. */
const struct module_range *modulefill_find(const struct module_table *t,
    uint64_t pc);

#endif

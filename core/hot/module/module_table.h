/*
 * Context: S.  Fills the table of modules from the memory map, for modules.c,
 * and finds ranges in it.  Only module_table_find() may be called by a thread
 * that does not read the map.
 */
#ifndef MODULE_TABLE_H
#define MODULE_TABLE_H

#include "base/state.h"

/*
 * Fills `fresh` with the executable mappings of this process, from its memory
 * map.  Copies ranges that have not changed from `old`; if `reread`, only after
 * it has compared their ELF headers, too.  Marks the records of unloaded
 * objects, and makes all caches forget text that is gone.  Returns 0; -errno,
 * with nothing in `fresh`; or PRIVATE_FDS_RETRY, see private_fds.h.  Runs by
 * private_fds_run(), in one thread at a time; the store is ready.
 */
int module_table_read(const struct module_table *old,
    struct module_table *fresh, bool reread);

/*
 * Returns the range that holds pc, or NULL.  If another thread writes the table
 * meanwhile, the result is arbitrary: the caller checks t->sequence.
 */
const struct module_range *module_table_find(const struct module_table *t,
    uint64_t pc);

#endif

/*
 * Context: S.  The records of modules in the file: makes one for an object that
 * is new, or finds the one that the object had before it was unloaded.  Only
 * module_table.c calls these functions, in the thread that reads the memory
 * map; the store is ready.
 */
#ifndef MODULE_RECORD_H
#define MODULE_RECORD_H

#include "base/state.h"
#include "module/mapped_object.h"

/* Returns whether record *m and object *e have one build ID, or both none. */
bool module_record_has_build_id(const struct format_module *m,
    const struct elf_headers *e);

/*
 * Finds the record of an unloaded object that is loaded again, and marks it as
 * loaded in the range r; its load_mono stays that of the first load.  Only an
 * object with a build ID is found.  Returns the record's index, or 0.  Without
 * this, a program that opens and closes a library for ever fills the file, as
 * it still does with a library without a build ID.
 */
uint32_t module_record_reuse(const struct module_range *r,
    const struct mapped_object_hit *hit);

/*
 * Makes a record for the object that the range r belongs to.  error: why no ELF
 * headers of it were found, as -errno, or 0.  Sets mon->python if the file is
 * CPython's.  Returns the record's index, or 0 if the file has no room for it.
 * If there is no room for the path, the record has no path.
 */
uint32_t module_record_make(const struct module_range *r,
    const struct mapped_object_hit *hit, int error);

/* Widens start and end of the record with this index to hold the range r. */
void module_record_widen(uint32_t record, const struct module_range *r);

#endif

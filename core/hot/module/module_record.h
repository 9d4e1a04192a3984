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

/* Returns whether the record has the build ID of the object *e. */
bool module_record_has_build_id(const struct format_module *m,
    const struct elf_headers *e);

/*
 * Returns the index of the record of an object that was unloaded and is loaded
 * again, marked as loaded in the range r; 0: there is none.  Without this, a
 * program that opens and closes a library for ever would fill the file.
 */
uint32_t module_record_reuse(const struct module_range *r,
    const struct mapped_object_hit *hit);

/*
 * Makes a record for the object that the range r belongs to.  error: why no ELF
 * headers of it were found, as -errno, or 0.  Returns the record's index, or 0
 * if the file has no room.  If only the path finds no room, the record has
 * none.
 */
uint32_t module_record_make(const struct module_range *r,
    const struct mapped_object_hit *hit, int error);

/* Widens the bounds of the record so that they hold the range r. */
void module_record_widen(uint32_t record, const struct module_range *r);

#endif

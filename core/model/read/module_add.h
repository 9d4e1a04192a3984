/*
 * Context: O.  Adds modules to a model, for the readers of classic files, of
 * other profilers' files and of tprof.out, and for the name cache.  The reader
 * of profiles of libmon.so (profile_modules.c) uses module_add_changed() only.
 */
#ifndef MODULE_ADD_H
#define MODULE_ADD_H

#include "base/model.h"
#include "elf/elf_layout.h"

/*
 * Finds the module with that path and identity in the model, or adds it, and
 * sets *module to its number.  `path` must be from model_intern().  *p has the
 * build-id or, without one, device and inode; all 0 means that the identity is
 * not known.  p->changed (ns since 1970) becomes model_module.seen of an added
 * module.  `flags` (FORMAT_M_* and MODULE_ADD_CHANGED) are part of the key; the
 * module keeps FORMAT_M_* alone.  Returns 0 or -ENOMEM.
 */
int module_add(struct model *m, const char *path, const struct elf_layout *p,
    uint32_t flags, uint32_t *module);

/*
 * Bit of the key beside FORMAT_M_*, never in model_module.flags: the file at
 * the module's path has changed since it was mapped.  It keeps such modules
 * apart from unchanged ones; the lookup of names refuses the file by `seen`.
 */
#define MODULE_ADD_CHANGED	(1u << 31)

/*
 * Returns MODULE_ADD_CHANGED if a file at `path` has changed after `seen` (ns
 * since 1970), else 0, also if there is no file.  `path` is spelled as in
 * /proc/PID/maps.  Needed for modules without a build-id: a file that was
 * rewritten in place keeps device and inode, and processes that ran the old
 * contents must not get the names of the new.
 */
uint32_t module_add_changed(const char *path, uint64_t seen);

#endif

/* Context: O.  Modules into the model, of files that no libmon.so wrote. */
#ifndef MODULE_ADD_H
#define MODULE_ADD_H

#include "base/model.h"
#include "elf_layout.h"

/*
 * The module of that path, from model_intern(), made when it is not there.
 * Which it is p tells; all 0: nobody knows.  With other flags it is another
 * one.  0 or -ENOMEM.
 */
int module_add(struct model *m, const char *path, const struct elf_layout *p,
    uint32_t flags, uint32_t *module);

/* Beside FORMAT_M_* above: another file is at its path by now. */
#define MODULE_ADD_CHANGED	(1u << 31)

/*
 * Without a build-id the file is the only identity.  One that was written anew
 * in place has the same: who ran it before must not share its names.  `path` is
 * as maps have it, `seen` ns since 1970.  MODULE_ADD_CHANGED or 0.
 */
uint32_t module_add_changed(const char *path, uint64_t seen);

#endif

/* Context: O.  Modules into the model, of files that no libmon.so wrote. */
#ifndef ENTER_H
#define ENTER_H

#include "model.h"
#include "program.h"

/*
 * The module of that path, from model_text(), made when it is not there.  Which
 * it is p tells; all 0: nobody knows.  With other flags it is another one.  0
 * or -ENOMEM.
 */
int enter_module(struct model *m, const char *path, const struct program *p,
    uint32_t flags, uint32_t *module);

/* Beside FORMAT_M_* above: another file is at its path by now. */
#define ENTER_CHANGED	(1u << 31)

/*
 * Without a build-id the file is the only identity.  One that was written anew
 * in place has the same: who ran it before must not share its names.  `path` is
 * as maps have it, `seen` ns since 1970.  ENTER_CHANGED or 0.
 */
uint32_t enter_changed(const char *path, uint64_t seen);

#endif

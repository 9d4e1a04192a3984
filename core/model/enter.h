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

#endif

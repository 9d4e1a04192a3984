/* Context: O.  Finds the functions of all addresses of a model. */
#ifndef SYMBOLIZE_H
#define SYMBOLIZE_H

#include "base/model.h"

/* Reports progress: `done` of `all` rows have a function, `module` is next. */
typedef void symbolize_progress(void *arg, size_t done, size_t all,
    const char *module);

/*
 * Gives every row of the model its function and frames their functions, after
 * model_finish().  Each module is opened once, and only if it has rows.
 * `progress` may be NULL; it is called with `arg` before each module.  Returns
 * 0 or -ENOMEM.
 */
int symbolize_all(struct model *m, symbolize_progress *progress, void *arg);

/*
 * Sets *ref to the identity by which the object of a module is found.  Returns
 * false if the module is no object with code in a file.
 */
bool symbolize_ref(const struct model *m, uint32_t module,
    struct object_ref *ref);

#endif

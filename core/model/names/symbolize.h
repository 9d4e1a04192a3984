/*
 * Context: O.  Finds the functions of all addresses of a model, for all tools
 * that show names: prof, tprof top and analyze, the prof device, prof --embed.
 * Opens the objects, and so may take long.
 */
#ifndef SYMBOLIZE_H
#define SYMBOLIZE_H

#include "base/model.h"

/* Reports progress: `done` of `all` rows have a function, `module` is next. */
typedef void symbolize_progress(void *arg, size_t done, size_t all,
    const char *module);

/*
 * Gives every row and frame of the model its function, after model_finish(),
 * and sets unnamed_ns and the shown names of source files.  Each module is
 * opened once, and only if it has rows.  A row whose code a compiler has named
 * moves from MODEL_MODULE_NONE to MODEL_MODULE_GENERATED or
 * MODEL_MODULE_PYTHON.  Must be called once.  `progress` may be NULL; it is
 * called with `arg` before each module.  Returns 0 or -ENOMEM; a file that
 * cannot be read is no error, but is noted in model_module.state.
 */
int symbolize_all(struct model *m, symbolize_progress *progress, void *arg);

/*
 * Sets *ref to the identity by which the object of a module is found; its texts
 * are the model's.  Returns false if there is no such object: the module is a
 * kernel or one of the fixed modules, or its addresses are offsets in a file.
 */
bool symbolize_ref(const struct model *m, uint32_t module,
    struct object_ref *ref);

#endif

/* Context: O.  From addresses to functions. */
#ifndef SYMBOLISE_H
#define SYMBOLISE_H

#include "model.h"

/*
 * Give every row its function; rows must be merged.  A module is opened once,
 * and only when it has rows.  `progress` (may be NULL) is called before each.
 */
typedef void symbolise_progress(void *arg, size_t done, size_t all,
    const char *module);
int symbolise_all(struct model *m, symbolise_progress *progress, void *arg);

/* What its module is known by; false: it is no object with code in a file. */
bool symbolise_ref(const struct model *m, uint32_t module,
    struct object_ref *ref);

#endif

/* Context: O.  From addresses to functions. */
#ifndef SYMBOLIZE_H
#define SYMBOLIZE_H

#include "base/model.h"

/*
 * Give every row its function; rows must be merged.  A module is opened once,
 * and only when it has rows.  `progress` (may be NULL) is called before each.
 */
typedef void symbolize_progress(void *arg, size_t done, size_t all,
    const char *module);
int symbolize_all(struct model *m, symbolize_progress *progress, void *arg);

/* What its module is known by; false: it is no object with code in a file. */
bool symbolize_ref(const struct model *m, uint32_t module,
    struct object_ref *ref);

#endif

/* Context: O.  What is in the files of a device. */
#ifndef CONTENT_H
#define CONTENT_H

#include "device.h"
#include "node.h"

/*
 * All of it, as it is now: a read later has no other.  free(3).  0 or -errno:
 * -ENOENT no such process or module, -EOPNOTSUPP not built in.
 */
int content_make(struct device *d, const struct node *n, char **text,
    size_t *bytes);

#endif

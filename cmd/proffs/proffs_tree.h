/* Context: O.  The prof device as a file tree, by libfuse. */
#ifndef PROFFS_TREE_H
#define PROFFS_TREE_H

#define FUSE_USE_VERSION 31

#include "device.h"

#include <fuse3/fuse.h>

/* The tree of a device, which stays open as long; one a process. */
const struct fuse_operations *proffs_tree_operations(struct device *d);

/* Has a read been answered with one pair, since this was asked last? */
bool proffs_tree_sent_pair(void);

#endif

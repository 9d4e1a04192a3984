/*
 * Context: O.  The prof device as a file tree for libfuse.  proffs.c mounts the
 * tree; the loop of proffs_serve.c asks which reads it has answered.
 */
#ifndef PROFFS_TREE_H
#define PROFFS_TREE_H

/* Version of the interface of libfuse. */
#define FUSE_USE_VERSION 31

#include "device.h"

#include <fuse3/fuse.h>

/*
 * Returns the operations of the tree of a device.  The device stays open while
 * they are used.  One tree for each process.
 */
const struct fuse_operations *proffs_tree_operations(struct device *d);

/*
 * Returns whether the last read was so short that it got one pair (an address
 * and a number) of a histogram or of times.  Returns false if no read came
 * since the last call of this function.
 */
bool proffs_tree_sent_pair(void);

#endif

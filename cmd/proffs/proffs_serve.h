/* Context: O.  A tree is mounted, and asked, until it is unmounted. */
#ifndef PROFFS_SERVE_H
#define PROFFS_SERVE_H

#include "proffs/proffs_tree.h"

/* args: of libfuse, with the mountpoint.  0, or 1 with a message of libfuse. */
int proffs_serve(struct fuse_args *args, const struct fuse_operations *tree);

#endif

/*
 * Context: O.  Mounts a file tree and answers its requests until it is
 * unmounted.  main() of proffs calls this once.
 */
#ifndef PROFFS_SERVE_H
#define PROFFS_SERVE_H

#include "proffs/proffs_tree.h"

/*
 * Serves the tree.  args: arguments of libfuse with the mount point; they have
 * -s, because the tree is for one thread.  Returns 0 or 1.  libfuse prints why
 * it failed; a failure of fcntl(2) or poll(2) prints nothing.
 */
int proffs_serve(struct fuse_args *args, const struct fuse_operations *tree);

#endif

/*
 * Context: S.  Chooses the path of this process's file and creates the file
 * there, for store_create.c, with private descriptors (private_fds_run()).
 */
#ifndef STORE_PATH_H
#define STORE_PATH_H

#include "base/state.h"

/*
 * Creates the file with the header h, which is the first FORMAT_HEADER bytes of
 * birth_scratch; fills in its image number.  Sets the store's path, final and
 * local.  Returns an open descriptor or -errno, PRIVATE_FDS_RETRY among them.
 */
int store_path_create(struct format_header *h);

/*
 * Makes this process part of the run of the mon.out that is in its directory,
 * if it is known that the process that started this one wrote that file.
 * Returns 0 or PRIVATE_FDS_RETRY.
 */
int store_path_join_run(void);

/*
 * Removes the file again, and the pointer to it.  The seal calls it, too, for a
 * file in which nothing was counted.
 */
void store_path_undo(void);

#endif

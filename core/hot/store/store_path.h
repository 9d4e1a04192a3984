/* Context: S.  Where the file of this process goes. */
#ifndef STORE_PATH_H
#define STORE_PATH_H

#include "base/state.h"

/*
 * Make the file with this header, the first FORMAT_HEADER bytes of
 * birth_scratch, whose image number is filled in; the store's path, final and
 * local are set.  An open descriptor or -errno.
 */
int store_path_create(struct format_header *h);

/*
 * Go on with the run of the mon.out that is there, if it is known to be that of
 * the process that started this one.  0 or PRIVATE_FDS_RETRY.
 */
int store_path_join_run(void);

/* The file, and what points to it, go again. */
void store_path_undo(void);

#endif

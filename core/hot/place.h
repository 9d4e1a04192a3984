/* Context: S.  Where the file of this process goes. */
#ifndef PLACE_H
#define PLACE_H

#include "state.h"

/*
 * Make the file with this header, the first FORMAT_HEADER bytes of
 * birth_scratch, whose image number is filled in; the store's path, final and
 * local are set.  An open descriptor or -errno.
 */
int place_file(struct format_header *h);

/*
 * Go on with the run of the mon.out that is there, if it is known to be that of
 * the process that started this one.  0 or ASIDE_AGAIN.
 */
int place_join_run(void);

/* The file, and what points to it, go again. */
void place_undo(void);

#endif

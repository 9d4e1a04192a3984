/* Context: S.  clock=wall: the helper that looks at sleeping threads. */
#ifndef WALL_H
#define WALL_H

#include "state.h"

/*
 * Start the helper: one thread, in this mode only, with every signal blocked.
 * It goes on where the last one stopped.  0 or -errno.
 */
int wall_start(void);

/* Let it look at each thread once more, and wait until it is gone. */
void wall_stop(void);

/* End it at once and wait until it is gone: wall_start() is to follow. */
void wall_pause(void);

/*
 * The calling thread ends with this status, while others of the program may go
 * on.  Should its end be that of the process, the helper ends with that status.
 */
void wall_note_end(int status);

#endif

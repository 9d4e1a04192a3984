/* Context: S.  clock=wall: the helper that looks at sleeping threads. */
#ifndef WALL_H
#define WALL_H

#include "state.h"

/* One thread, in this mode only, with every signal blocked.  0 or -errno. */
int wall_start(void);

/* Ends it and waits until it is gone. */
void wall_stop(void);

#endif

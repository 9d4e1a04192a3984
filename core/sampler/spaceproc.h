/* Context: O.  What /proc says of a process that was there before us. */
#ifndef SPACEPROC_H
#define SPACEPROC_H

#include "space.h"

/* Mappings, name, user, birth; none of it, of a process that is gone. */
void spaceproc_read(struct spaces *s, struct space *own);

/* Room of SPACE_NAME; "" where it is gone. */
void spaceproc_thread(int32_t pid, int32_t tid, char *name);

/* Has it a thread that can run? */
bool spaceproc_lives(int32_t pid);

/* One more mapping, over what was there. */
void space_add(struct spaces *s, struct space *own, const struct mapping *m);

#endif

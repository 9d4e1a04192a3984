/* Context: O.  What /proc says of a process that was there before us. */
#ifndef ADDRESS_SPACE_PROC_H
#define ADDRESS_SPACE_PROC_H

#include "address_space.h"

/* Mappings, name, user, birth; none of it, of a process that is gone. */
void address_space_proc_read(struct address_spaces *s,
    struct address_space *own);

/* Room of ADDRESS_SPACE_NAME; "" where it is gone. */
void address_space_proc_thread(int32_t pid, int32_t tid, char *name);

/* Has it a thread that can run? */
bool address_space_proc_alive(int32_t pid);

/* One more mapping, over what was there. */
void address_space_add(struct address_spaces *s, struct address_space *own,
    const struct address_mapping *m);

#endif

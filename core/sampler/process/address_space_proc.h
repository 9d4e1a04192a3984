/*
 * Context: O.  Reads from /proc what is known of a process that started before
 * the sampler, or of a thread that no ring entry has named.  For the
 * address_space files, in the thread of sampler_next(); tprof top asks for a
 * name.
 */
#ifndef ADDRESS_SPACE_PROC_H
#define ADDRESS_SPACE_PROC_H

#include "process/address_space.h"

/*
 * Reads mappings, name, user and start time of own->pid into *own.  Only the
 * name is cleared if the process is gone.
 */
void address_space_proc_read(struct address_spaces *s,
    struct address_space *own);

/*
 * Reads the name of a thread into `name`, ADDRESS_SPACE_NAME bytes; "" if the
 * thread is gone.
 */
void address_space_proc_thread(int32_t pid, int32_t tid, char *name);

/*
 * Returns whether threads are left of a process whose first thread has ended.
 */
bool address_space_proc_alive(int32_t pid);

/*
 * Adds a mapping over what was mapped there; in address_space_map.c.  Lack of
 * memory sets s->out_of_memory.
 */
void address_space_add(struct address_spaces *s, struct address_space *own,
    const struct address_mapping *m);

#endif

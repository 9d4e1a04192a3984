/*
 * Context: O.  Reads from /proc what is known of a process that started before
 * the sampler.
 */
#ifndef ADDRESS_SPACE_PROC_H
#define ADDRESS_SPACE_PROC_H

#include "process/address_space.h"

/*
 * Reads mappings, name, user and start time of own->pid into *own.  Nothing is
 * set if the process is gone.
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

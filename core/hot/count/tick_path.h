/* Context: S.  The node of the tree that stands for a tick's callers. */
#ifndef TICK_PATH_H
#define TICK_PATH_H

#include "unwind/stack_walk.h"

/*
 * Below which a tick of the slot's thread is to be counted, whose record is
 * there: the node of its callers, as the tick under way finds them; now says
 * whether the thread is at what is counted still.  The root where there are to
 * be no stacks.  0: no room.
 */
uint32_t tick_path_node(struct thread_slot *s, bool now);

/* A place of the past, and the end of the stack as it was. */
#define TICK_PATH_STACK_WORDS	256u
struct tick_path_entry {
	struct stack_walk_start from;
	uint64_t stack[TICK_PATH_STACK_WORDS];
};

/* Room for one, until the next; NULL: there is none, or no use for it. */
struct tick_path_entry *tick_path_entry(struct thread_slot *s);

/*
 * The same of a place where the thread was, or sleeps; inside: below that place
 * too, as it went into the kernel there.  NULL: nobody knows.
 */
uint32_t tick_path_of_place(struct thread_slot *s,
    const struct stack_walk_start *from, bool inside);

/*
 * As stack_walk(), and once more where the map of the code was older than that
 * is.
 */
unsigned tick_path_callers(struct thread_slot *s,
    const struct stack_walk_start *from, uint64_t *frames, unsigned room);

/*
 * The node of a frame, as stack_walk.h has it, below that of its callers.
 * NULL: no room.
 */
struct format_node *tick_path_add_frame(uint32_t parent, uint64_t frame);

/* That of a caller in the store at `base`; 0: its code or it is not known. */
uint32_t tick_path_find_known(const unsigned char *base, uint32_t parent,
    uintptr_t pc);

#endif

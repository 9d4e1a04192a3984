/* Context: S.  The node of the tree that stands for a tick's callers. */
#ifndef PATH_H
#define PATH_H

#include "walk.h"

/*
 * Below which a tick of the slot's thread is to be counted, whose record is
 * there: the node of its callers, as the tick under way finds them; now says
 * whether the thread is at what is counted still.  The root where there are to
 * be no stacks.  0: no room.
 */
uint32_t path_node(struct slot *s, bool now);

/* A place of the past, and the end of the stack as it was. */
#define PATH_STACK_WORDS	256u
struct path_entry {
	struct walk_from from;
	uint64_t stack[PATH_STACK_WORDS];
};

/* Room for one, until the next; NULL: there is none, or no use for it. */
struct path_entry *path_entry(struct slot *s);

/*
 * The same of a place where the thread was, or sleeps; inside: below that place
 * too, as it went into the kernel there.  NULL: nobody knows.
 */
uint32_t path_of(struct slot *s, const struct walk_from *from, bool inside);

/* As walk(), and once more where the map of the code was older than that is. */
unsigned path_callers(struct slot *s, const struct walk_from *from,
    uint64_t *frames, unsigned room);

/*
 * The node of a frame, as walk.h has it, below that of its callers.  NULL: no
 * room.
 */
struct format_node *path_frame(uint32_t parent, uint64_t frame);

/* That of a caller in the store at `base`; 0: its code or it is not known. */
uint32_t path_known(const unsigned char *base, uint32_t parent, uintptr_t pc);

#endif

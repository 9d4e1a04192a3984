/* Context: S.  The profile file as memory: its life and its space. */
#ifndef STORE_H
#define STORE_H

#include "state.h"

#define STORE_RETRY_NS	1000000000u

/* The header, or NULL when there is no file (yet, or any more). */
struct format_header *store_header(void);

/* Any record, by index; the store must be ready. */
static inline void *
store_at(uint32_t index)
{
	return mon->store.base + (uint64_t)index * FORMAT_UNIT;
}

/*
 * The header, where the store was ready a moment ago: somebody may have taken
 * the file away meanwhile, and then it is memory that nobody reads.
 */
static inline struct format_header *
store_head(void)
{
	return store_at(0);
}

/* Room for a record of n bytes, all zero.  0: none, and the loss is counted. */
uint32_t store_take(size_t n);

/*
 * The same for what a profile can do without, from the first half of the file.
 * 0: none, and it is for the caller to count that.
 */
uint32_t store_take_spare(size_t n);

/* A text record; 0 when there is no room. */
uint32_t store_text(const char *bytes, size_t n);

/* Push a filled record on a list of the header: `next` is its first word. */
void store_publish(uint32_t *head, uint32_t index);

/* Make at least n more bytes real now.  0 or -errno. */
int store_reserve(uint64_t n);

/* Unmap all but what is real and n bytes more: the file ends there. */
void store_shrink(uint64_t n);

/* Is the file there?  Makes it when it is time to.  False: not (yet). */
bool store_ready(void);

/*
 * The same, waiting for another thread that makes it, a second at most.  Not
 * from a handler.
 */
bool store_wait(void);

/*
 * Something else truncated the file: its pages are gone, as a fault there told.
 * From SIGBUS.  False: the store cannot be let go on.
 */
bool store_taken(void *address);
bool store_holds(const void *address);

#endif

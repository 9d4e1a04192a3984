/* Context: S.  The profile file as memory: its life and its space. */
#ifndef STORE_H
#define STORE_H

#include "base/state.h"

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
store_raw_header(void)
{
	return store_at(0);
}

/*
 * Moves the losses that were counted while there was no file to the header h.
 * Any thread and any signal handler may call it.
 */
void store_move_early_losses(struct format_header *h);

/*
 * Takes room for a record of n bytes, all zero.  Returns its index, or 0 if
 * there is no room.  The caller then counts what it loses by that;
 * store_refusal_loss() tells as which loss.  Any thread and any signal handler
 * may call it.
 */
uint32_t store_take(size_t n);

/*
 * Returns why the last store_take() found no room, as the loss of a tick:
 * LOSS_STORE_FULL, LOSS_STORE_SPACE or LOSS_FROZEN.
 */
enum loss store_refusal_loss(void);

/*
 * Returns whether a request for space that was refused would be refused again;
 * makes no system call.  That is so when the file has reached its limit, which
 * is final, or when the system had no space or no file for us and no tick has
 * come since.  Any thread, signal handlers.
 */
bool store_is_exhausted(void);

/*
 * Lets the next request ask the system again after a refusal.  Each tick calls
 * it.
 */
static inline void
store_allow_retry(void)
{
	if (atomic_load_explicit(&mon->store.barren, memory_order_relaxed))
		atomic_store_explicit(&mon->store.barren, false,
		    memory_order_relaxed);
}

/*
 * The same for what a profile can do without, from the first half of the file.
 * 0: none, and it is for the caller to count that.
 */
uint32_t store_take_optional(size_t n);

/*
 * Makes a text record of n bytes.  Returns its index, or 0 if there is no room;
 * the caller counts that loss.
 */
uint32_t store_text(const char *bytes, size_t n);

/* Push a filled record on a list of the header: `next` is its first word. */
void store_publish(uint32_t *head, uint32_t index);

/* Make at least n more bytes real now.  0 or -errno. */
int store_reserve(uint64_t n);

/* Unmap all but what is real and n bytes more: the file ends there. */
void store_shrink(uint64_t n);

/* Is the file there?  Makes it when it is time to.  False: not (yet). */
bool store_open_if_due(void);

/*
 * The same, waiting for another thread that makes it, a second at most.  Not
 * from a handler.
 */
bool store_open_wait(void);

/*
 * Something else truncated the file: its pages are gone, as a fault there told.
 * From SIGBUS.  False: the store cannot be let go on.
 */
bool store_on_truncate(void *address);

/*
 * Forgets the file, which was removed because it was empty.  No other thread
 * runs.  The next count makes another file.
 */
void store_discard(void);

/*
 * Puts private memory in place of the page at that address.  Returns false if
 * it could not, and has changed nothing.
 */
bool store_replace_page(uintptr_t address);
bool store_contains(const void *address);

#endif

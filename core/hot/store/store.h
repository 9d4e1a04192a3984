/*
 * Context: S.  The profile file as mapped memory: gives out space in it, and
 * gives it up when it is lost.  All that counts uses it, in any thread and any
 * signal handler, also in a frozen process, where only what was reserved is
 * given out.
 */
#ifndef STORE_H
#define STORE_H

#include "base/state.h"

/* Time between two attempts to make the file, ns. */
#define STORE_RETRY_NS	1000000000u

/* Returns the record with this index.  The store must be ready. */
static inline void *
store_at(uint32_t index)
{
	return mon->store.base + (uint64_t)index * FORMAT_UNIT;
}

/*
 * Returns the header.  The caller has seen the store ready.  If another program
 * has truncated the file since then, the header is memory that no tool reads.
 */
static inline struct format_header *
store_raw_header(void)
{
	return store_at(0);
}

/* The profile's mapping takes at most 1/STORE_AS_PART of RLIMIT_AS. */
#define STORE_AS_PART	16u

/*
 * Takes room for a record of n bytes, all zero.  Returns its index, or 0 if
 * there is no room or no file.  The caller then counts what is lost by that, as
 * the loss that store_refusal_loss() returns.  Any thread and any signal
 * handler may call it.
 */
uint32_t store_take(size_t n);

/*
 * Returns why the last store_take() of any thread found no room, as the loss of
 * a tick: LOSS_STORE_FULL, LOSS_STORE_CLOSED, LOSS_STORE_SPACE or
 * LOSS_FROZEN.
 */
enum loss store_refusal_loss(void);

/*
 * Returns whether a request for space that was refused would be refused again.
 * Makes no system call.  That is so if the file has reached its limit or is
 * sealed, which is final; in a frozen process; or if the system had no space or
 * no file for us and no tick has come since.  Any thread and any signal handler
 * may call it.
 */
bool store_is_exhausted(void);

/*
 * Lets the next request for space ask the system again after a refusal.  Each
 * tick calls it, and each check of the heap's timeline.
 */
static inline void
store_allow_retry(void)
{
	if (atomic_load_explicit(&mon->store.barren, memory_order_relaxed))
		atomic_store_explicit(&mon->store.barren, false,
		    memory_order_relaxed);
}

/*
 * Takes room as store_take() does, but only from the first half of the file,
 * for records that a profile can do without.  Returns 0 if there is no room;
 * the caller counts that loss.
 */
uint32_t store_take_optional(size_t n);

/*
 * Makes a text record of n bytes.  Returns its index, or 0 if there is no room:
 * then the text is left out, which is no loss.
 */
uint32_t store_text(const char *bytes, size_t n);

/*
 * Pushes a complete record on a list of the header, whose head is *head.  The
 * first word of the record becomes the index of the next one.
 */
void store_publish(uint32_t *head, uint32_t index);

/*
 * Makes the pages of at least n more bytes real now, as far as the file may
 * grow, because later no system call may be made.  The thread that freezes the
 * process calls it, and alloc_slow.c to learn whether there is room again.
 * Returns 0; -ENOENT if there is no file; -EPERM in a frozen process; or
 * -ENOSPC or another -errno if the system refuses the pages.
 */
int store_reserve(uint64_t n);

/*
 * Unmaps all of the file but the part that is real and n bytes more; the file
 * can grow no further then.  The hook of mlockall(2) calls it.
 */
void store_shrink(uint64_t n);

/*
 * Handles a SIGBUS at an address in the file, whose pages are gone because
 * another program truncated it: puts private memory there, and gives the file
 * up.  Returns false if it could not.  fault_handler() calls it, in any thread.
 */
bool store_on_truncate(void *address);

/*
 * Forgets the file, which was removed because it was empty, after the exec that
 * followed has failed.  No other thread runs.  seal_exec.c calls it.  The next
 * count makes another file.
 */
void store_discard(void);

/*
 * Puts private memory in place of the page that contains this address, in the
 * mapping of this process's file or of an ancestor's header.  Returns false,
 * and leaves the page as it is, if it could not.  Only the handler of memory
 * faults reaches it.
 */
bool store_replace_page(uintptr_t address);

/* Returns whether the address is in the mapping of the file. */
bool store_contains(const void *address);

#endif

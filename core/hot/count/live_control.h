/*
 * Context: S.  What a tool asks of the process; doc/internals.md, section 19.
 */
#ifndef LIVE_CONTROL_H
#define LIVE_CONTROL_H

#include "base/state.h"

/*
 * Takes what is asked, if anything is.  Any thread, handlers, several at once.
 */
void live_control_poll(void);

/*
 * Returns whether a tool has made an order since order number `known`; the
 * order may not be complete yet.  base: the mapped file, current.  Costs one
 * load of a cache line that is rarely written.  Any thread, signal handlers.
 */
static inline bool
live_control_is_newer(const unsigned char *base, uint32_t known)
{
	const struct format_header *h = (const struct format_header *)base;

	return __atomic_load_n(&h->asked, __ATOMIC_RELAXED) != known;
}

/*
 * Returns whether live_control_poll() would take an order now: the file is
 * there and the order is complete.  Any thread, signal handlers.
 */
bool live_control_has_order(void);

/*
 * Is it a signal that a tool had the kernel send to this thread, so that it
 * looks?
 */
bool live_control_is_kick(const siginfo_t *si);

/*
 * The signal of a kick: one whose handler is ours, whatever the program does.
 * 0 where it would kill a thread by its alternate stack.
 */
int live_control_kick_signal(void);

/* In the file, where it is another one now. */
void live_control_publish_kick(void);

/* A new file: it is asked for what holds. */
void live_control_fill_header(struct format_header *h);

/* ... or for what stands in its directory.  Before anybody counts in it. */
void live_control_apply(struct format_header *h,
    const struct format_defaults *o);

/* What the environment asks: start=, hz=.  A fork child is as its parent is. */
void live_control_init(void);

#endif

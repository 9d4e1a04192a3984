/*
 * Context: S.  What a tool asks of the process; doc/internals.md, section 19.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include "state.h"

/*
 * Takes what is asked, if anything is.  Any thread, handlers, several at once.
 */
void control_look(void);

/*
 * Returns whether a tool has made an order since order number `known`; the
 * order may not be complete yet.  base: the mapped file, current.  Costs one
 * load of a cache line that is rarely written.  Any thread, signal handlers.
 */
static inline bool
control_is_asked(const unsigned char *base, uint32_t known)
{
	const struct format_header *h = (const struct format_header *)base;

	return __atomic_load_n(&h->asked, __ATOMIC_RELAXED) != known;
}

/*
 * Returns whether control_look() would take an order now: the file is there and
 * the order is complete.  Any thread, signal handlers.
 */
bool control_has_order(void);

/*
 * Is it a signal that a tool had the kernel send to this thread, so that it
 * looks?
 */
bool control_is_kick(const siginfo_t *si);

/*
 * The signal of a kick: one whose handler is ours, whatever the program does.
 * 0 where it would kill a thread by its alternate stack.
 */
int control_kick_signal(void);

/* In the file, where it is another one now. */
void control_show_kick(void);

/* A new file: it is asked for what holds. */
void control_fill(struct format_header *h);

/* ... or for what stands in its directory.  Before anybody counts in it. */
void control_obey(struct format_header *h, const struct format_orders *o);

/* What the environment asks: start=, hz=.  A fork child is as its parent is. */
void control_begin(void);

#endif

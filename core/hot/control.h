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

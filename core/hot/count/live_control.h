/*
 * Context: S.  Takes the orders that a tool writes into the file's header;
 * doc/design/live-control.md.  Ticks, kicks, counted allocations and forks
 * poll, in any thread; the making of a file and changes of signals fill in the
 * header's words.  mon->taking lets one thread at a time take an order.
 */
#ifndef LIVE_CONTROL_H
#define LIVE_CONTROL_H

#include "base/state.h"

/*
 * Takes the order in the file's header, if there is a new one and no other
 * thread takes it: obeys what it can, and writes the answer.  In a frozen
 * process it refuses every order that asks for a change.  Any thread and any
 * signal handler may call it, several at once.  It needs as much stack as a
 * tick.
 */
void live_control_poll(void);

/*
 * Returns whether a tool has made an order since order number `known`; the
 * order may not be complete yet.  base: the mapped, present file.  Costs one
 * load of a cache line that is rarely written.  Any thread and any signal
 * handler may call it.
 */
static inline bool
live_control_is_newer(const unsigned char *base, uint32_t known)
{
	const struct format_header *h = (const struct format_header *)base;

	return __atomic_load_n(&h->asked, __ATOMIC_RELAXED) != known;
}

/*
 * Returns whether live_control_poll() would take an order now: the file is
 * there and the order is complete.  Makes no system call and needs little
 * stack.  Any thread and any signal handler may call it.
 */
bool live_control_has_order(void);

/*
 * Returns whether the signal is a kick: a tool had the kernel send it to this
 * thread, so that the thread looks for an order.  It may read the file's
 * header: the caller has SIGBUS unblocked.  The tick's handler calls it, and
 * what reads pending signals.
 */
bool live_control_is_kick(const siginfo_t *si);

/*
 * Returns the signal of a kick: one whose handler is ours whatever the program
 * does.  Returns 0 if it would kill a thread by its alternate stack, or if
 * there is no such signal.
 */
int live_control_kick_signal(void);

/*
 * Writes what live_control_kick_signal() returns into the file's header, if
 * there is a file.  Whoever changes what that depends on calls it.
 */
void live_control_publish_kick(void);

/*
 * Fills in the control words of a new file's header with what holds now, before
 * the store is ready.
 */
void live_control_fill_header(struct format_header *h);

/*
 * Applies the directory defaults `o` to the process and to the header h of its
 * new file, before any thread counts in it.  The thread that makes the store
 * calls it.
 */
void live_control_apply(struct format_header *h,
    const struct format_defaults *o);

/*
 * Sets what the environment asks for: start=, hz= and the modes.  The start of
 * a process calls it, before any clock runs.  A fork child does not call it,
 * because it goes on as its parent.
 */
void live_control_init(void);

#endif

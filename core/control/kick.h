/*
 * Context: O.  Interrupts the threads of another process by perf events, so
 * that they run libmon.so's handler and see an order at once.  Used by
 * control_client.c, after the order was written.
 */
#ifndef KICK_H
#define KICK_H

#include "format.h"

/* The perf events of one kick.  Zero it before the first use. */
struct kick {
	/* perf events, one for each thread */
	int *fds;
	/* threads that will run the handler; 0: none could be reached */
	unsigned count;
};

/*
 * Makes each thread of the process of *h, at most 256, run libmon.so's handler
 * as soon as the thread runs code of the program, and never in a system call.
 * h: the header that the process maps, too; its `kicks` grows.  Lasts until
 * kick_end().  Leaves k->count 0 if perf events are refused, if the process
 * wants no kick, or if it is not certain to be the one that *h describes.
 */
void kick_begin(struct kick *k, struct format_header *h);

/* Closes the events.  Harmless for a zeroed or ended kick. */
void kick_end(struct kick *k);

#endif

/* Context: S.  When the fine clock of a thread goes on and off. */
#ifndef CLOCKSWITCH_H
#define CLOCKSWITCH_H

#include "state.h"

/*
 * Switches the fine clock of the calling thread on or off, or leaves it as it
 * is.  The handler of a coarse tick calls it with `busy` held.  first: it is
 * the first tick of the thread.  other_pace: pace_look() has just changed
 * s->pace.  s->cpu_ns must be of this tick.
 */
void clockswitch_look(struct slot *s, bool first, bool other_pace);

/* Will the thread never have a fine clock (again)? */
bool clockswitch_is_settled(const struct slot *s);

/*
 * May a fine clock go on for s, so that its sleeps are watched until then?  Its
 * own thread.
 */
bool clockswitch_watches(const struct slot *s);

/*
 * Has the calling thread used a whole interval of the coarse clock since that
 * clock saw it last?  A thread that runs through a tick of the scheduler has
 * not.  One system call (0.3 us).
 */
bool clockswitch_is_missed(const struct slot *s);

/*
 * Puts the fine clock of the calling thread on, which the coarse clock misses.
 * `busy` is held and signals are blocked.  What the thread has used is left to
 * the next samples.
 */
void clockswitch_begin(struct slot *s);

#endif

/*
 * Context: S.  Makes the profile file and the store: at the first count, at the
 * end of the process, or ahead of need.  All that counts, in any thread and any
 * signal handler, the seal, the start and precreate.c ask for it.  No frozen
 * process makes a file.
 */
#ifndef STORE_CREATE_H
#define STORE_CREATE_H

#include "base/state.h"

/*
 * Makes the file, maps it and publishes the store, if there is none and an
 * attempt is due.  Returns true if this call did so.  One thread does it at a
 * time; others get false at once.  A failed attempt is repeated later, a few
 * times.  With CONFIG_PLACE_MEMORY the store is private memory, without a file.
 * Any thread and any signal handler may call it, on a stack with room for a
 * tick.  Does nothing in a vfork child.
 */
bool store_create_try(void);

/*
 * store_create_before_chdir() and store_create_before_exit() make the file of a
 * process that has not counted anything, if it is a first process of a run
 * without PROFDIR.  It needs one before it changes its directory, because the
 * processes that it starts find the run's directory by the mapping of that
 * file, and at its end.  store_create_before_exit() also makes one if
 * store_create_used_cpu() says so.
 */
void store_create_before_chdir(void);
void store_create_before_exit(void);

/*
 * Returns false if store_create_before_exit() would certainly make no file as a
 * run's first process.  Makes no system call.
 */
bool store_create_maybe_first(void);

/*
 * Returns whether this process, which has no file, used CPU time that needs
 * one: several intervals of the clocks, which met it with no tick; or, with
 * CONFIG_PLACE_DIR and unless it was forked from a profiled process, one tick
 * of time, itself or by children that it waited for, that no other profiled
 * process may know of.  Returns false unless the place is CONFIG_PLACE_DIR or
 * CONFIG_PLACE_PLAIN, and in a frozen process.  Makes one system call at most,
 * and another one if it has made a child.
 */
bool store_create_used_cpu(void);

/*
 * Returns whether the file is there.  Makes it if there is none and an attempt
 * is due, as store_create_try() does.
 */
bool store_create_if_due(void);

/*
 * Does what store_create_if_due() does, and waits up to a second for another
 * thread that is making the file.  Returns whether the file is there.  Counted
 * calls and allocations call it, ticks do not.  A signal handler that has
 * interrupted the making of the file waits in vain.
 */
bool store_create_wait(void);

#endif

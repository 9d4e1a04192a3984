/*
 * Context: S.  Makes the profile file and the store, at a time that the first
 * count or the end of the process decides.
 */
#ifndef STORE_CREATE_H
#define STORE_CREATE_H

#include "base/state.h"

/*
 * Makes the file, maps it and publishes the store, if there is none and an
 * attempt is due.  Returns true if this call did so.  One thread does it at a
 * time; others get false at once.  A failed attempt is repeated later, a few
 * times.
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
 * Returns whether this process, which has no file, has used CPU time that no
 * other profiled process may know of, itself or by children that it waited for.
 * Makes one system call, and another one if it has made a child.
 */
bool store_create_used_cpu(void);

/*
 * Returns whether the file is there.  Makes it if there is none and an attempt
 * is due.
 */
bool store_create_if_due(void);

/*
 * Does what store_create_if_due() does, and waits up to a second for another
 * thread that is making the file.  Must not be called in a signal handler.
 */
bool store_create_wait(void);

#endif

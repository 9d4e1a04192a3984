/* Context: S.  How the profile file comes into the world. */
#ifndef STORE_CREATE_H
#define STORE_CREATE_H

#include "base/state.h"

/*
 * Make the file, map it, publish the store.  One thread does; true when the
 * store is ready on return.  A failure is retried later, a few times.
 */
bool store_create_try(void);

/*
 * The first process of a run without PROFDIR owes its file: at its end, and
 * before it changes its directory, as those that it starts find where the run
 * began by the mapping of that.  Nothing is made for any other.
 */
void store_create_before_chdir(void);
void store_create_before_exit(void);

/* false: at the end that would be in vain.  No system call. */
bool store_create_maybe_first(void);

/*
 * Returns whether this process, which has no file, has used CPU time, itself or
 * by children that it waited for, that no other profiled process may know of.
 * Makes one system call, and another one if it has made a child.
 */
bool store_create_used_cpu(void);

#endif

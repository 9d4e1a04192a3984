/* Context: S.  How the profile file comes into the world. */
#ifndef BIRTH_H
#define BIRTH_H

#include "state.h"

/*
 * Make the file, map it, publish the store.  One thread does; true when the
 * store is ready on return.  A failure is retried later, a few times.
 */
bool birth_attempt(void);

/*
 * The first process of a run without PROFDIR owes its file: at its end, and
 * before it changes its directory, as those that it starts find where the run
 * began by the mapping of that.  Nothing is made for any other.
 */
void birth_before_leaving(void);
void birth_before_end(void);

/* false: at the end that would be in vain.  No system call. */
bool birth_may_be_first(void);

/*
 * Returns whether this process, which has no file, has used CPU time, itself or
 * by children that it waited for, that no other profiled process may know of.
 * Makes one system call, and another one if it has made a child.
 */
bool birth_may_be_owed(void);

#endif

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
 * The program changes its directory.  Those that it starts find where the run
 * began by the mapping of its first process's file.
 */
void birth_before_leaving(void);

#endif

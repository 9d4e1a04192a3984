/* Context: S.  How the profile file comes into the world. */
#ifndef BIRTH_H
#define BIRTH_H

#include "state.h"

/*
 * Make the file, map it, publish the store.  One thread does; true when the
 * store is ready on return.  A failure is retried later, a few times.
 */
bool birth_attempt(void);

#endif

/*
 * Context: S.  What the processes of a profile directory are told to begin as.
 */
#ifndef START_DEFAULTS_H
#define START_DEFAULTS_H

#include "base/state.h"

/*
 * What stands in the directory of the new file.  False: nothing, or nothing
 * that is of this user or of root.  While the store is being made.
 */
bool start_defaults_read(struct format_defaults *o);

#endif

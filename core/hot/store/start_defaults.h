/*
 * Context: S.  Reads the standing orders of a profile directory, which say in
 * which state its processes begin.
 */
#ifndef START_DEFAULTS_H
#define START_DEFAULTS_H

#include "base/state.h"

/*
 * Reads the standing orders of the new file's directory into o.  Returns false
 * if there are none, or if they are not from this user or root.  Called while
 * the store is being made; uses birth_scratch.
 */
bool start_defaults_read(struct format_defaults *o);

#endif

/*
 * Context: S.  Reads the directory defaults, which say in which state the
 * processes of a profile directory begin, for store_create.c.
 */
#ifndef START_DEFAULTS_H
#define START_DEFAULTS_H

#include "base/state.h"

/*
 * Reads the directory defaults of the new file's directory into o.  Returns
 * false if there are none, if they are not from this user or root, or if the
 * place is not CONFIG_PLACE_DIR.  The thread that makes the store calls it,
 * after it has made the file.  Uses birth_scratch; opens the file by
 * private_fds_run().
 */
bool start_defaults_read(struct format_defaults *o);

#endif

/*
 * Context: O.  Standing orders of a profile directory: the settings that
 * processes of the caller's user take when they start and make their profiles
 * there.  They are in the file DIRECTORY/.libmon.EUID.
 */
#ifndef DEFAULTS_FILE_H
#define DEFAULTS_FILE_H

#include "control_client.h"

/*
 * The functions below may be called by any thread, and by several tools at
 * once.  They return 0, or -errno with *f set.
 */

/*
 * Reads the standing orders of `directory` into *o.  o->what is 0 if the
 * directory has none.
 */
int defaults_file_read(const char *directory, struct format_defaults *o,
    struct fault *f);

/*
 * Merges the settings that *c changes into the standing orders of `directory`,
 * in place of older values of the same settings.
 */
int defaults_file_merge(const char *directory,
    const struct control_client_change *c, struct fault *f);

/* Removes the standing orders of `directory`. */
int defaults_file_remove(const char *directory, struct fault *f);

#endif

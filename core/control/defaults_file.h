/*
 * Context: O.  Directory defaults: the settings that processes of the caller's
 * user take when they make their profiles in a directory
 * (hot/store/start_defaults.c).  They are in its file .libmon.EUID.  Control
 * sessions read and write them; prof reads them to explain an empty directory.
 */
#ifndef DEFAULTS_FILE_H
#define DEFAULTS_FILE_H

#include "control_client.h"

/*
 * The functions below may be called by any thread, and by several tools at
 * once: merging and removing waits for another tool, a second at most, and then
 * fails.  They return 0, or -errno with *f set.
 */

/*
 * Reads the defaults of `directory` into *o.  o->what is 0 if the directory has
 * none.
 */
int defaults_file_read(const char *directory, struct format_defaults *o,
    struct fault *f);

/*
 * Merges the settings that *c changes into the defaults of `directory`, in
 * place of older values of the same settings; modes of `more` are added to the
 * older ones.  A file that is not ours is replaced.
 */
int defaults_file_merge(const char *directory,
    const struct control_client_change *c, struct fault *f);

/* Removes the defaults of `directory`. */
int defaults_file_remove(const char *directory, struct fault *f);

#endif

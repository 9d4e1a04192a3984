/* Context: O.  What processes to come of a directory are told. */
#ifndef DEFAULTS_FILE_H
#define DEFAULTS_FILE_H

#include "control_client.h"

/*
 * Those of the caller's user, that have their profiles there.  Each from any
 * thread, and against others: 0 or -errno, and *f.
 */

/* What stands there; o->what is 0 where nothing does. */
int defaults_file_read(const char *directory, struct format_defaults *o,
    struct fault *f);

/* That too; or that instead. */
int defaults_file_merge(const char *directory,
    const struct control_client_change *c, struct fault *f);

/* Nothing any more. */
int defaults_file_remove(const char *directory, struct fault *f);

#endif

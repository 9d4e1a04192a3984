/* Context: O.  What processes to come of a directory are told. */
#ifndef STANDING_H
#define STANDING_H

#include "ask.h"

/*
 * Those of the caller's user, that have their profiles there.  Each from any
 * thread, and against others: 0 or -errno, and *f.
 */

/* What stands there; o->what is 0 where nothing does. */
int standing_read(const char *directory, struct format_orders *o,
    struct fault *f);

/* That too; or that instead. */
int standing_give(const char *directory, const struct ask_change *c,
    struct fault *f);

/* Nothing any more. */
int standing_end(const char *directory, struct fault *f);

#endif

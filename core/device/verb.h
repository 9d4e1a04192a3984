/*
 * Context: O.  Runs the verbs that are written to the ctl files of a device.
 * proffs (cmd/proffs) calls it with the text of one write.
 */
#ifndef VERB_H
#define VERB_H

#include "device.h"

/*
 * Runs the verbs in `text`, one a line, for the process pid or for all (0).
 * Stops at the first error, adds a line to `status`, and returns -errno:
 * -EINVAL for an unknown verb or value or a NUL, -EOPNOTSUPP for a mode that is
 * not built in; -ESRCH, -EIO or -ENOMEM as device_control_send().  Returns 0 if
 * all verbs were run.
 */
int verb_run(struct device *d, int32_t pid, const char *text, size_t bytes);

#endif

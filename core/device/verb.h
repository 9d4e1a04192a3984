/* Context: O.  What is written to the ctl of a device. */
#ifndef VERB_H
#define VERB_H

#include "device.h"

/*
 * Verbs, a line each; pid: 0 of all.  0 or -errno, and a line for who reads
 * `status`: -EINVAL no such verb or value, -EOPNOTSUPP a mode that is not built
 * in, -ESRCH, -EIO or -ENOMEM as of device_control_send().  What is behind is
 * left.
 */
int verb_run(struct device *d, int32_t pid, const char *text, size_t bytes);

#endif

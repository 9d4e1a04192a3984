/* Context: O.  What the processes of a device do, and what they are told. */
#ifndef DEVICE_CONTROL_H
#define DEVICE_CONTROL_H

#include "control_command.h"
#include "device.h"

/*
 * All of the directory and those to come, or one of them.  0; -ESRCH: that one
 * has ended; -EIO: not all could be told, as the notes say; or -ENOMEM.
 */
int device_control_send(struct device *d, int32_t pid,
    const struct control_command *o);

/*
 * Returns whether a histogram of one process (pid), or of all (0), holds bytes:
 * after startmp; if no start was asked, when allocations are counted and time
 * is not.
 */
bool device_control_is_memory(struct device *d, int32_t pid);

/* Text, as the verbs that would have it so, and for people.  0 or -errno. */
int device_control_put_ctl(FILE *out, struct device *d, int32_t pid);
int device_control_put_status(FILE *out, struct device *d, int32_t pid);

#endif

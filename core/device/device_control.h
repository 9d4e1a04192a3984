/*
 * Context: O.  Controls the processes of a device and shows their state, as the
 * texts of ctl and status.  Used by the verbs (verb.c) and the files
 * (device_files.c) of the device.
 */
#ifndef DEVICE_CONTROL_H
#define DEVICE_CONTROL_H

#include "control_command.h"
#include "device.h"

/*
 * Sends a command to one process (pid), or to all processes of the directory
 * and those that start later (0).  Returns 0; -ESRCH if that process has ended;
 * -EIO if some process could not be controlled, as the notes of the device say;
 * or -ENOMEM.
 */
int device_control_send(struct device *d, int32_t pid,
    const struct control_command *o);

/*
 * Returns whether a histogram of one process (pid), or of all (0), holds bytes:
 * after startmp; or, if no start was written, if the living processes have
 * allocations as their only mode.
 */
bool device_control_is_memory(struct device *d, int32_t pid);

/*
 * Writes the text of ctl, the verbs that would lead to the present state
 * (device_control_put_ctl), or the text of status for people
 * (device_control_put_status).  pid: a process, or 0 for all.  Returns 0.
 */
int device_control_put_ctl(FILE *out, struct device *d, int32_t pid);
int device_control_put_status(FILE *out, struct device *d, int32_t pid);

#endif

/* Context: O.  What is in the files of a device. */
#ifndef DEVICE_FILES_H
#define DEVICE_FILES_H

#include "device.h"
#include "device_path.h"

/*
 * All of it, as it is now: a read later has no other.  free(3).  0 or -errno:
 * -ENOENT no such process or module, -EOPNOTSUPP not built in.
 */
int device_files_make(struct device *d, const struct device_path *n,
    char **text, size_t *bytes);

#endif

/* Context: O.  Makes the contents of the files of a device. */
#ifndef DEVICE_FILES_H
#define DEVICE_FILES_H

#include "device.h"
#include "device_path.h"

/*
 * Makes the whole present text of the file *n.  Later reads of an open file use
 * the same text.  The caller frees *text.  Returns 0 or -errno: -ENOENT if
 * there is no such process or module, -EOPNOTSUPP if a feature is not built in.
 */
int device_files_make(struct device *d, const struct device_path *n,
    char **text, size_t *bytes);

#endif

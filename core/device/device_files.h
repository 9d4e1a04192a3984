/* Context: O.  Makes the contents of the files of a device, for proffs. */
#ifndef DEVICE_FILES_H
#define DEVICE_FILES_H

#include "device.h"
#include "device_path.h"

/*
 * Makes the whole present text of the file *n, which is no directory.  proffs
 * calls it when a file is opened, and serves all reads of that file from the
 * text.  Returns 0, and the caller frees *text; or -errno, and nothing is to be
 * freed: -ENOENT if there is no such module, -EOPNOTSUPP if a feature is not
 * built in, -ENOMEM.  Does not check that the process exists; proffs does that
 * first.
 */
int device_files_make(struct device *d, const struct device_path *n,
    char **text, size_t *bytes);

#endif

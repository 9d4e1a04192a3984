/*
 * Context: O.  Finds the process image that a profile of libmon.so belongs to,
 * for read_profile.c; and the last part of a path, for all readers and the
 * listing.
 */
#ifndef PROCESS_IMAGE_H
#define PROCESS_IMAGE_H

#include "base/model.h"

/*
 * Returns the last part of a path, by which programs and modules are named; the
 * whole path if it ends in a slash.
 */
const char *process_image_basename(const char *path);

/*
 * Returns 1 if this was asked before for a file of the same image and birth, so
 * that this file is a copy; otherwise 0, or -ENOMEM.  Must be asked once a
 * file, before m->files counts it, as it notes the file.  `exe` must be from
 * model_intern().
 */
int process_image_is_copy(struct model *m, const struct format_header *h,
    const char *exe);

/*
 * Finds the image of the file in the model, or adds it, updates its totals and
 * sets *process to its index.  Asks the kernel about a process that still runs.
 * An image has a second file if its first one was truncated by another process.
 * `exe` must be from model_intern().  Returns 0 or -ENOMEM.
 */
int process_image_add(struct model *m, const struct format_header *h,
    const char *exe, uint32_t *process);

#endif

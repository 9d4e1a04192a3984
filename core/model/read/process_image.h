/* Context: O.  The process image that a file is of. */
#ifndef PROCESS_IMAGE_H
#define PROCESS_IMAGE_H

#include "base/model.h"

/* Of its path, what names a program or a module: the last part. */
const char *process_image_basename(const char *path);

/*
 * 1 if a file of the same process and birth was added: this is a copy of it.
 * 0, or -ENOMEM.
 */
int process_image_is_copy(struct model *m, const struct format_header *h,
    const char *exe);

/*
 * Its index in the model, made or found: a process image has a second file when
 * somebody truncated its first.  0 or -ENOMEM.
 */
int process_image_add(struct model *m, const struct format_header *h,
    const char *exe, uint32_t *process);

#endif

/* Context: O.  The process image that a file is of. */
#ifndef IMAGE_H
#define IMAGE_H

#include "model.h"

/* Of its path, what names a program or a module: the last part. */
const char *image_program(const char *path);

/*
 * 1 if a file of the same process and birth was added: this is a copy of it.
 * 0, or -ENOMEM.
 */
int image_is_copy(struct model *m, const struct format_header *h,
    const char *exe);

/*
 * Its index in the model, made or found: a process image has a second file when
 * somebody truncated its first.  0 or -ENOMEM.
 */
int image_add(struct model *m, const struct format_header *h, const char *exe,
    uint32_t *process);

#endif

/*
 * Context: P.  Recognizes files that are no profiles but are given to prof all
 * the same, so that an error can say what to do.  header_read() and
 * prof_input.c of prof ask it last, when no reader knows the file.
 */
#ifndef FOREIGN_MAGIC_H
#define FOREIGN_MAGIC_H

#include "fault.h"

#include <stddef.h>

/*
 * If the file that begins with these bytes is of a kind that is known, sets *f
 * to what it is and what to do with it, and returns -EINVAL.  Returns 0 and
 * leaves *f alone if it is not.
 */
int foreign_magic_refuse(const unsigned char *bytes, size_t size,
    struct fault *f);

#endif

/*
 * Context: P.  Recognizes files of common kinds that no reader takes for a
 * profile, so that an error can say what to do.  header_read() calls it for
 * files without the magic number, before readers of other formats have tried
 * the file: they replace this fault.  prof_input.c calls it when no file could
 * be used.
 */
#ifndef FOREIGN_MAGIC_H
#define FOREIGN_MAGIC_H

#include "fault.h"

#include <stddef.h>

/*
 * Checks whether a file is of a known kind that is no profile.  bytes: its
 * beginning.  size: the size of the file, or of `bytes`; at most the first 18
 * bytes are read.  Returns -EINVAL with *f set to the kind and a remedy, which
 * are static texts; or 0, with *f unchanged.
 */
int foreign_magic_refuse(const unsigned char *bytes, size_t size,
    struct fault *f);

#endif

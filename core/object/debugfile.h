/* Context: O.  Where a distribution keeps the symbols of a stripped file. */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include "elf_file.h"

/* By build-id, below /usr/lib/debug/.build-id.  0 or -ENOENT. */
int debugfile_by_id(struct elf_file *debug, const unsigned char *id,
    size_t bytes);

/* By the name in the file's .gnu_debuglink, CRC verified.  0 or -ENOENT. */
int debugfile_by_link(struct elf_file *debug, const struct elf_file *f,
    const char *path);

#endif

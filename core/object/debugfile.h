/* Context: O.  Where a distribution keeps the symbols of a stripped file. */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include "elf_file.h"

/* Both: 0, -ENOENT, or -EINVAL: there is one, but it is cut short. */

/* By build-id, below /usr/lib/debug/.build-id. */
int debugfile_by_id(struct elf_file *debug, const unsigned char *id,
    size_t bytes);

/* By the name in the file's .gnu_debuglink, CRC verified. */
int debugfile_by_link(struct elf_file *debug, const struct elf_file *f,
    const char *path);

#endif

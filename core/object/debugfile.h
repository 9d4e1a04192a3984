/* Context: O.  Where a distribution keeps the symbols of a stripped file. */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include "elf_file.h"

#include <limits.h>

enum debugfile_fault {
	DEBUGFILE_OK,
	DEBUGFILE_TRUNCATED,
	DEBUGFILE_WRONG_BUILD_ID,	/* its build-id is another */
	DEBUGFILE_WRONG_CRC,
	DEBUGFILE_NOT_ELF,
	DEBUGFILE_NO_PERMISSION,	/* to this user */
};

/* The first file that was there and is of no use; all zero before. */
struct debugfile_refused {
	enum debugfile_fault fault;
	char path[PATH_MAX];
};

/* All: 0, or -ENOENT: there is none, or *refused says what is wrong. */

/* At a place, of that build-id. */
int debugfile_open_at(struct elf_file *debug, const char *path,
    const unsigned char *id, size_t bytes, struct debugfile_refused *refused);

/* By build-id, below /usr/lib/debug/.build-id. */
int debugfile_by_build_id(struct elf_file *debug, const unsigned char *id,
    size_t bytes, struct debugfile_refused *refused);

/* By the name in the file's .gnu_debuglink, CRC verified. */
int debugfile_by_debuglink(struct elf_file *debug, const struct elf_file *f,
    const char *path, struct debugfile_refused *refused);

#endif

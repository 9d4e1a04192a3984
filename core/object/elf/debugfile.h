/*
 * Context: O.  Finds the separate debug file of a stripped file where
 * distributions keep it.  For core/object alone: names, symbol tables, lines,
 * and the file that dwz made.
 */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include "elf/elf_file.h"

#include <limits.h>

/* Why a debug file is of no use. */
enum debugfile_fault {
	DEBUGFILE_OK,
	DEBUGFILE_TRUNCATED,
	DEBUGFILE_WRONG_BUILD_ID,	/* it has another build-id */
	DEBUGFILE_WRONG_CRC,
	DEBUGFILE_NOT_ELF,
	DEBUGFILE_NO_PERMISSION,	/* this user may not read it */
};

/* The first file that was there and is of no use; all zero before. */
struct debugfile_refused {
	enum debugfile_fault fault;
	char path[PATH_MAX];
};


/*
 * Opens the debug file at `path`, which must have the given build-id of `bytes`
 * bytes.  Returns 0, and the caller closes *debug; or -ENOENT if there is no
 * file of use; *refused then may say what is wrong with one that was there.
 */
int debugfile_open_at(struct elf_file *debug, const char *path,
    const unsigned char *id, size_t bytes, struct debugfile_refused *refused);

/*
 * Opens the debug file with this build-id below /usr/lib/debug/.build-id.
 * Returns as debugfile_open_at().
 */
int debugfile_by_build_id(struct elf_file *debug, const unsigned char *id,
    size_t bytes, struct debugfile_refused *refused);

/*
 * Opens the debug file that the .gnu_debuglink of file `f`, at `path`, names,
 * and verifies its build-id or, if `f` has none, its CRC.  Returns as
 * debugfile_open_at().
 */
int debugfile_by_debuglink(struct elf_file *debug, const struct elf_file *f,
    const char *path, struct debugfile_refused *refused);

#endif

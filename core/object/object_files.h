/*
 * Context: O.  Finds the file of a module, if it is the one that ran, and the
 * debug file that belongs to it.  For object.c.
 */
#ifndef OBJECT_FILES_H
#define OBJECT_FILES_H

#include "elf/debugfile.h"
#include "object.h"

/*
 * The files of a module that were found: the file itself, its debug file, or
 * both.
 */
struct object_files {
	struct elf_file main;
	struct elf_file debug;
	struct elf_file mini;	/* inside of main, if there is no debug file */
	const char *path;	/* of main */
};

/*
 * Opens the files of the module `ref` into *o, which the caller closes unless
 * the result is a state in which nothing was found (object_is_found).  path[]
 * has `room` bytes, is used as long as *o, and receives the path of the file.
 * *refused must be all zero, and receives a debug file that was not taken, and
 * why.
 */
enum object_state object_files_open(struct object_files *o,
    const struct object_ref *ref, char *path, size_t room,
    struct debugfile_refused *refused);

/* Closes the files that are open. */
void object_files_close(struct object_files *o);

#endif

/*
 * Context: O.  Source lines of addresses, and the functions inlined there, from
 * debug information.  object_resolve() reads them; jitdump.c and the model's
 * embedded names fill a struct lines, too, and the model and views of code read
 * it.
 */
#ifndef LINES_H
#define LINES_H

#include "elf/elf_file.h"
#include "symbol/symbol_lookup.h"

/*
 * A function at an address.  Inlined functions come first, the compiled
 * function last.
 */
struct lines_frame {
	const char *function;	/* as stored; NULL: as in the symbol table */
	const char *file;	/* NULL: not known */
	uint32_t line;		/* line of the address in it; 0: not known */
};

/* The frames of one address. */
struct lines_place {
	uint32_t first;		/* index of the first in `frames` */
	/* Number; 0: the file has nothing for the address */
	uint32_t count;
};

/* Why debug information is present but gives nothing. */
enum lines_fault {
	LINES_OK = 0,
	/* Compressed with zstd, which libelf does not support */
	LINES_ZSTD,
	LINES_COMPRESSED,		/* compressed in another way */
	LINES_DAMAGED,		/* libdw cannot read it */
	/* It is in a separate file that is missing */
	LINES_SPLIT_MISSING,
	/* It is in a missing package beside the file, a .dwp */
	LINES_DWP_MISSING,
	LINES_FAULTS,
};

/* The result of lines_read().  Jitdumps and embedded names fill places, too. */
struct lines {
	enum lines_fault fault;	/* the first fault that was met */
	/* For LINES_SPLIT_MISSING and LINES_DWP_MISSING: path of that file. */
	const char *apart;
	struct lines_place *places;	/* by number of the asked address */
	size_t count;
	struct lines_frame *frames;
	size_t frame_count, frame_room;
};

/*
 * Looks up `count` addresses, ascending and each once, in the file's debug
 * information (DWARF 2 to 5, compressed or not, shared by dwz, or split where
 * it was built).  Overwrites *l; the caller calls lines_free() whatever is
 * returned.  Texts are allocated in the arena.  A file without debug
 * information, or with a damaged one, leaves places empty; l->fault says
 * whether it has some.  `path` is that of the file, to find a package beside
 * it, or NULL.  Returns 0 or -ENOMEM.
 */
int lines_read(struct lines *l, const struct elf_file *f, const char *path,
    const struct symbol *asked, size_t count, struct arena *arena);
/* Frees the places and frames. */
void lines_free(struct lines *l);

#endif

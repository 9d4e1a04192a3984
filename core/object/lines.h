/* Context: O.  Source lines of addresses, and the functions inlined there. */
#ifndef LINES_H
#define LINES_H

#include "elf_file.h"
#include "symbol_lookup.h"

/*
 * A function at an address: the inlined ones first, the one that is called
 * last.
 */
struct lines_frame {
	const char *function;	/* as stored; NULL = that of the symbol table */
	const char *file;	/* NULL = not known */
	uint32_t line;		/* where it is in it; 0 = not known */
};

/* Of one address. */
struct lines_place {
	uint32_t first;		/* of frames */
	uint32_t count;		/* 0 = the file says nothing of it */
};

/* Why debug information is present but gives nothing. */
enum lines_fault {
	LINES_OK = 0,
	LINES_ZSTD,		/* compressed by zstd, which libelf lacks */
	LINES_COMPRESSED,		/* compressed by something else */
	LINES_DAMAGED,		/* libdw cannot read it */
	LINES_SPLIT_MISSING,		/* in a separate file that is missing */
	/* in a package beside the file, a .dwp */
	LINES_DWP_MISSING,
	LINES_FAULTS,
};

struct lines {
	enum lines_fault fault;	/* the first that was met */
	/* LINES_SPLIT_MISSING, LINES_DWP_MISSING: that file */
	const char *apart;
	struct lines_place *places;
	size_t count;
	struct lines_frame *frames;
	size_t frame_count, frame_room;
};

/*
 * Looks up `count` addresses, ascending and each once, in the file's debug
 * information (DWARF 2 to 5, compressed or not, shared by dwz, or split where
 * it was built).  Texts are allocated in the arena.  A file without debug
 * information, or with a damaged one, leaves places empty; l->fault says
 * whether it has some.  path: of the file, to find a package beside it; or
 * NULL.  Returns 0 or -ENOMEM.
 */
int lines_read(struct lines *l, const struct elf_file *f, const char *path,
    const struct symbol *asked, size_t count, struct arena *arena);
void lines_free(struct lines *l);

#endif

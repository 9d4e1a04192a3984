/* Context: O.  Source lines of addresses, and the functions inlined there. */
#ifndef LINES_H
#define LINES_H

#include "elf_file.h"
#include "symbol.h"

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

struct lines {
	struct lines_place *places;
	size_t count;
	struct lines_frame *frames;
	size_t frame_count, frame_room;
};

/*
 * What the file's debug information (DWARF 2 to 5, compressed or not, shared by
 * dwz, or split where it was built) says of `count` addresses, ascending and
 * each once.  Texts go to the arena.  A file that has none, or a damaged one,
 * leaves places empty.  0 or -ENOMEM.
 */
int lines_read(struct lines *l, const struct elf_file *f,
    const struct symbol *asked, size_t count, struct arena *arena);
void lines_free(struct lines *l);

#endif

/*
 * Context: O.  Lists the pieces of code that a jitdump describes: where each
 * one was, and where the file has its name and its lines.  For jitdump.c alone.
 * The file may be hostile and may still grow.
 */
#ifndef JITDUMP_PIECES_H
#define JITDUMP_PIECES_H

#include "base/arena.h"
#include "base/hash_index.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* A piece of code, and where the file has more on it. */
struct jitdump_piece {
	uint64_t address, size, index;
	/* Offsets of its name and of the end of the record */
	uint64_t name;
	uint64_t name_end;
	uint64_t debug;		/* offset of its debug information; 0: none */
	uint64_t debug_end;
};

/* The pieces of a file, in the order of the file. */
struct jitdump_pieces {
	FILE *file;		/* NULL: it could not be opened */
	struct jitdump_piece *all;
	size_t count, room;
	struct hash_index by_index;
	/* Debug information that came before its code */
	uint64_t debug, debug_end;
};

/*
 * Opens the file and lists its pieces.  Lists none of a file that is not there,
 * does not belong to `owner` or root, or was not written by the process `pid`;
 * a record that is cut short or wrong ends the list.  The caller closes *d in
 * any case.  Returns 0 or -ENOMEM.
 */
int jitdump_pieces_open(struct jitdump_pieces *d, const char *path, uid_t owner,
    int32_t pid);

/* Reads `bytes` bytes at the offset `at`.  Returns whether all are there. */
bool jitdump_pieces_read(struct jitdump_pieces *d, uint64_t at, void *to,
    size_t bytes);

/*
 * Copies a text of the file, at the offset `at` and before `end`, into the
 * arena; *bytes receives its length without its end.  Returns NULL if there is
 * none, or no memory.
 */
const char *jitdump_pieces_text(struct jitdump_pieces *d, uint64_t at,
    uint64_t end, size_t *bytes, struct arena *arena);

/* Closes the file and frees the list. */
void jitdump_pieces_close(struct jitdump_pieces *d);

#endif

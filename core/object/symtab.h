/* Context: O.  Every function of an object, as its symbol table lists them. */
#ifndef SYMTAB_H
#define SYMTAB_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

struct symtab_row {
	uint64_t value;
	uint64_t size;		/* 0 = not known */
	uint64_t limit;		/* end of its section */
	const char *name;
	size_t at;		/* its place in the table */
	unsigned char type;	/* STT_* */
	unsigned char bind;	/* STB_* */
};

struct symtab {
	struct symtab_row *rows;	/* ascending by value, then as listed */
	size_t count, room;
	size_t entries;		/* of the table, of any kind; 0 = no table */
	uint64_t longest;	/* size of any */
	struct arena names;
};

/*
 * Of an ELF file of any class and byte order: .symtab, else that of its
 * separate debug file, else .dynsym.  Where the classic tools looked up every
 * symbol of a program, symbol_lookup.h looks up the few that are asked.
 * 0, -errno, or -ENOEXEC: no ELF file.
 */
int symtab_read(struct symtab *t, const char *path);
void symtab_free(struct symtab *t);

#endif

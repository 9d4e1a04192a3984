/*
 * Context: O.  Every function of an object, as its symbol table lists them, for
 * the listing of the classic prof and for names in objects of other machines.
 */
#ifndef SYMTAB_H
#define SYMTAB_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* A function. */
struct symtab_row {
	uint64_t value;
	uint64_t size;		/* 0: not known */
	uint64_t limit;		/* end of its section */
	const char *name;
	size_t at;		/* its number in the table */
	unsigned char type;	/* STT_* */
	unsigned char bind;	/* STB_* */
};

/* The functions of an object. */
struct symtab {
	struct symtab_row *rows;	/* ascending by value, then as listed */
	size_t count, room;
	/* Entries of the table, of any kind; 0: no table */
	size_t entries;
	uint64_t longest;	/* largest size of any function */
	struct arena names;
};

/*
 * Reads the functions of an ELF file of any class and byte order, from its
 * .symtab, else that of its separate debug file, else .dynsym.  The classic
 * tools looked up every symbol of a program; where only a few addresses are
 * asked, use symbol_lookup.h.  Returns 0; or -errno with *t all zero, -ENOEXEC
 * if it is no ELF file.
 */
int symtab_read(struct symtab *t, const char *path);
/* Frees the functions and their names. */
void symtab_free(struct symtab *t);

#endif

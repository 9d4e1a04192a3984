/* Context: O.  Which symbol holds each of a batch of addresses. */
#ifndef SYMBOL_LOOKUP_H
#define SYMBOL_LOOKUP_H

#include "arena.h"
#include "elf_file.h"

#include <string.h>

/*
 * All addresses of a module are asked at once, ascending and each once.  Then
 * no table of all symbols need be built or sorted: one pass over the file
 * keeps only those that hold an address asked for.
 *
 * The symbol of an address is the sized one that holds it and starts last.
 * Of several that start there: the shorter one; a global or weak one before a
 * local; a function before an ifunc (whose code is the resolver); fewer leading
 * underscores; the shorter name; the first in byte order.
 *
 * A local symbol M.name without a size, as MARK of prof.h makes it, holds what
 * follows it in the function that it lies in.
 *
 * Any other symbol without a size (assembly) holds what follows it up to the
 * next symbol or the end of its section, unless the unwind table says that
 * another function starts in between.
 */
struct symbol {
	uint64_t address;	/* asked */
	uint64_t start;		/* of the function; address when not known */
	const char *name;	/* in the arena, mangled as stored, with @plt or
				   @ifunc (a resolver) behind; NULL = none */
	bool bounded;		/* start is that of a function */
};

struct symbol_candidate {
	uint64_t value;
	uint64_t size;		/* 0 = not known */
	uint64_t limit;		/* end of its section */
	const char *name;	/* borrowed until symbol_lookup_resolve() */
	unsigned char type;	/* STT_* */
	unsigned char bind;	/* STB_* */
};

struct symbol_lookup {
	struct symbol *asked;
	size_t count;
	struct symbol_candidate *kept;	/* sized, holding an address asked */
	size_t kept_count;
	size_t kept_room;
	/* of an address: the last start */
	struct symbol_candidate *before;
};

/* "$x", "$d.1": on ARM they mark where code and data begin. */
static inline bool
symbol_lookup_is_mapping(const char *name, unsigned type)
{
	return type == STT_NOTYPE && name[0] == '$' && name[1] != '\0' &&
	    strchr("adtx", name[1]) != NULL &&
	    (name[2] == '\0' || name[2] == '.');
}

struct ehframe;

int symbol_lookup_begin(struct symbol_lookup *s, struct symbol *asked,
    size_t count);
int symbol_lookup_add(struct symbol_lookup *s,
    const struct symbol_candidate *offer);

/* Offer every function of the file's .symtab and .dynsym. */
int symbol_lookup_add_file(struct symbol_lookup *s, const struct elf_file *f);

/* Name what can be named; `bounds` may be NULL.  0 or -ENOMEM. */
int symbol_lookup_resolve(struct symbol_lookup *s, const struct ehframe *bounds,
    struct arena *arena);
void symbol_lookup_end(struct symbol_lookup *s);

/* Index of the first asked address >= `address`, count when none is. */
size_t symbol_lookup_lower_bound(const struct symbol *asked, size_t count,
    uint64_t address);

#endif

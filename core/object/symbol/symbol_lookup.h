/*
 * Context: O.  Finds which symbol holds each of a batch of addresses: begin,
 * add the candidates, resolve, end.  object.c and elf_foreign.c do this; struct
 * symbol is also the question and the answer of every other look-up of names.
 */
#ifndef SYMBOL_LOOKUP_H
#define SYMBOL_LOOKUP_H

#include "base/arena.h"
#include "elf/elf_file.h"

#include <string.h>

/*
 * An address that is asked, and its symbol.
 *
 * All addresses of a module are asked at once, ascending and each once.  So no
 * table of all symbols need be built or sorted: one pass over the file keeps
 * only those that hold an address asked for.
 *
 * The symbol of an address is the sized one that holds it and starts last.
 * Among several that start there, preferred are: the shorter one; a global or
 * weak one over a local one; a function over an ifunc (whose code is the
 * resolver); fewer leading underscores; the shorter name; the first in byte
 * order.
 *
 * A local symbol M.name without a size, as MARK of prof.h makes it, holds what
 * follows it in the function that it lies in.
 *
 * Any other symbol without a size (assembly) holds what follows it up to the
 * next symbol or the end of its section, unless the unwind table says that
 * another function starts in between.
 */
struct symbol {
	uint64_t address;	/* the address that is asked */
	uint64_t start;		/* of the function; `address` if not known */
	/*
	 * In the arena, mangled as stored, with @plt or @ifunc (a resolver)
	 * behind; NULL: none.
	 */
	const char *name;
	bool start_known;	/* `start` is that of a function */
};

/* A symbol that may hold an asked address. */
struct symbol_candidate {
	uint64_t value;
	uint64_t size;		/* 0: not known */
	uint64_t limit;		/* end of its section */
	/* borrowed until symbol_lookup_resolve() returns */
	const char *name;
	unsigned char type;	/* STT_* */
	unsigned char bind;	/* STB_* */
};

/* A batch of look-ups. */
struct symbol_lookup {
	struct symbol *asked;
	size_t count;
	/* Sized ones that hold an asked address */
	struct symbol_candidate *kept;
	size_t kept_count;
	size_t kept_room;
	/* For each asked address, the candidate before it that starts last */
	struct symbol_candidate *before;
};

/*
 * Returns whether a symbol is "$x", "$d.1" and the like: on ARM they mark where
 * code and data begin.
 */
static inline bool
symbol_lookup_is_mapping(const char *name, unsigned type)
{
	return type == STT_NOTYPE && name[0] == '$' && name[1] != '\0' &&
	    strchr("adtx", name[1]) != NULL &&
	    (name[2] == '\0' || name[2] == '.');
}

struct ehframe;

/*
 * Begins the look-up of `count` addresses, ascending and each once, which must
 * stay until the end.  Returns 0 or -ENOMEM; symbol_lookup_end() is needed in
 * either case.
 */
int symbol_lookup_begin(struct symbol_lookup *s, struct symbol *asked,
    size_t count);
/* Adds a candidate.  Returns 0 or -ENOMEM. */
int symbol_lookup_add(struct symbol_lookup *s,
    const struct symbol_candidate *offer);

/*
 * Adds every symbol of code in the file's .symtab and .dynsym.  Returns 0 or
 * -ENOMEM.
 */
int symbol_lookup_add_file(struct symbol_lookup *s, const struct elf_file *f);

/*
 * Names the addresses that some candidate holds and that have no name yet;
 * `bounds` may be NULL.  Returns 0 or -ENOMEM.
 */
int symbol_lookup_resolve(struct symbol_lookup *s, const struct ehframe *bounds,
    struct arena *arena);
/* Frees the memory of the look-up. */
void symbol_lookup_end(struct symbol_lookup *s);

/* Returns the index of the first asked address >= `address`, or `count`. */
size_t symbol_lookup_lower_bound(const struct symbol *asked, size_t count,
    uint64_t address);

#endif

/*
 * Context: O.  Finds which symbol holds each of a batch of addresses of one ELF
 * file: begin, add the candidates, resolve, end.  object.c and elf_foreign.c do
 * this to name the code of a module for a model or a view; struct symbol is
 * also the question and the answer of every other look-up of names.
 */
#ifndef SYMBOL_LOOKUP_H
#define SYMBOL_LOOKUP_H

#include "base/arena.h"
#include "elf/elf_file.h"

#include <string.h>

/*
 * An address whose symbol is wanted ("asked"), and, after the look-up, that
 * symbol.
 *
 * All addresses of a module are asked at once, ascending and each once.  So no
 * table of all symbols need be built or sorted: one pass over the file keeps
 * only those that hold an asked address.
 *
 * The symbol of an address is, of the sized ones that hold it, the one with the
 * highest start.  Among several that start there, preferred are: the shorter
 * one; a global or weak one over a local one; a function over an ifunc (whose
 * code is the resolver); fewer leading underscores; the shorter name; the first
 * in byte order.
 *
 * A mark is preferred to that symbol: a local symbol M.name without a size,
 * which the macro MARK of prof.h makes inside a function.  It holds the
 * addresses from its own to the end of the function or to the next symbol in
 * it.
 *
 * Any other symbol without a size (assembly) holds what follows it up to the
 * next symbol or the end of its section, unless a sized symbol holds it or the
 * unwind table says that another function starts in between.
 */
struct symbol {
	/* link-time address; in the kernel and in generated code: in memory */
	uint64_t address;
	uint64_t start;		/* of the function; see start_known */
	/*
	 * In the arena, mangled as stored; "@plt" is appended for an entry of
	 * the PLT, "@ifunc" for the resolver of an ifunc.  NULL: none.
	 */
	const char *name;
	bool start_known;	/* false: `start` is a copy of `address` */
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
	/* sized candidates that hold an asked address */
	struct symbol_candidate *kept;
	size_t kept_count;
	size_t kept_room;
	/*
	 * by asked address: of all candidates that start at it, or between the
	 * asked address before it and it, the one with the highest start; name
	 * NULL: none
	 */
	struct symbol_candidate *before;
	/*
	 * by part i of the addresses, each of 1 << shift bytes from the first
	 * asked one on: how many asked addresses lie below the part
	 */
	uint32_t *below;
	unsigned shift;
};

/*
 * Returns whether a symbol is a mapping symbol of ARM, such as "$x" or "$d.1":
 * it marks where code or data begins, and names nothing.
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
 * Begins the look-up of the `count` addresses in `asked`, ascending and each
 * once.  The name of each must be NULL, or a name that it keeps.  The array is
 * the caller's, and must stay until symbol_lookup_end(), which is needed also
 * after -ENOMEM.  Returns 0 or -ENOMEM.
 */
int symbol_lookup_begin(struct symbol_lookup *s, struct symbol *asked,
    size_t count);

/* Adds a candidate.  Returns 0 or -ENOMEM. */
int symbol_lookup_add(struct symbol_lookup *s,
    const struct symbol_candidate *candidate);

/*
 * Adds every symbol of code in the file's .symtab and .dynsym.  Returns 0 or
 * -ENOMEM.
 */
int symbol_lookup_add_file(struct symbol_lookup *s, const struct elf_file *f);

/*
 * Fills in the asked addresses that a candidate holds; one that has a name
 * already, such as an entry of the PLT, keeps it.  bounds: the unwind table,
 * which ends a symbol without a size where another function starts; NULL: none.
 * arena: receives the names.  Returns 0 or -ENOMEM.
 */
int symbol_lookup_resolve(struct symbol_lookup *s, const struct ehframe *bounds,
    struct arena *arena);

/* Frees the memory of the look-up. */
void symbol_lookup_end(struct symbol_lookup *s);

/* Returns the index of the first asked address >= `address`, or `count`. */
size_t symbol_lookup_lower_bound(const struct symbol *asked, size_t count,
    uint64_t address);

#endif

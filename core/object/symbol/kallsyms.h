/*
 * Context: O.  Names of kernel functions: the whole list is read once, for many
 * look-ups.  For kallsyms_name(), tprof top (names/name_cache_resolve.c),
 * recordings of tprof (recorder.c), and prof doctor, which only tries to read
 * it.
 */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

/*
 * An address farther than this from a symbol does not belong to it: no function
 * of the kernel is so large.
 */
#define KALLSYMS_FARTHEST	(1u << 18)

/* A symbol of the kernel. */
struct kallsym {
	uint64_t start;
	const char *name;	/* borrowed from the list's text */
	/* as "[ext4]", borrowed too; NULL: the kernel itself */
	const char *module;
};

/* The list of symbols; all zero is an empty one. */
struct kallsyms {
	char *text;
	struct kallsym *all;	/* ascending by start, one for each start */
	size_t count, room;
};

/*
 * Reads the list of symbols from `path`, in the format of /proc/kallsyms, in
 * place of the old list.  Returns 0; -ENOENT if the file cannot be read or
 * shows this user no addresses; or -ENOMEM. After an error the old list stays.
 */
int kallsyms_read(struct kallsyms *k, const char *path);

/*
 * Returns the last symbol that starts at the address or below it, or NULL. Of
 * several that start there, it is the one that symbol_lookup.h prefers.
 * Returns NULL, too, if that is KALLSYMS_FARTHEST away or farther.
 */
const struct kallsym *kallsyms_find(const struct kallsyms *k, uint64_t address);
/* Frees the list and leaves it empty. */
void kallsyms_free(struct kallsyms *k);

#endif

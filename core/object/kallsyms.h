/* Context: O.  Names of kernel functions, read once for many questions. */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

/* No function of the kernel is so large: what is farther off is another's. */
#define KALLSYMS_FARTHEST	(1u << 18)

struct kallsym {
	uint64_t start;
	const char *name;	/* in the text */
	const char *module;	/* the same; NULL = of the kernel itself */
};

/* All 0 is one that holds nothing. */
struct kallsyms {
	char *text;
	struct kallsym *all;	/* ascending, one a start */
	size_t count, room;
};

/*
 * What `path`, as /proc/kallsyms, has, in place of what was there.  -ENOENT: it
 * shows none to this user; or -ENOMEM: then what was there stays.
 */
int kallsyms_read(struct kallsyms *k, const char *path);

/*
 * The last that starts at the address or below it, as kallsyms_name() has it.
 */
const struct kallsym *kallsyms_find(const struct kallsyms *k, uint64_t address);
void kallsyms_free(struct kallsyms *k);

#endif

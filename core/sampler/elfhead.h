/* Context: O.  What the headers of an ELF file say of how it is run. */
#ifndef ELFHEAD_H
#define ELFHEAD_H

#include <stdbool.h>

#define ELFHEAD_INTERPRETER 256	/* of a path; musl's and glibc's are short */

struct elfhead {
	bool is_elf;
	bool same_cpu;		/* class, byte order and machine as ours */
	char interpreter[ELFHEAD_INTERPRETER]; /* "" = statically linked */
};

/* An open file.  What cannot be read is no ELF file. */
void elfhead_read(struct elfhead *h, int fd);

/* The same; false: it cannot be opened. */
bool elfhead_read_path(struct elfhead *h, const char *path);

#endif

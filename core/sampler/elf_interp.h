/* Context: O.  What the headers of an ELF file say of how it is run. */
#ifndef ELF_INTERP_H
#define ELF_INTERP_H

#include <stdbool.h>

#define ELF_INTERP_PATH 256	/* of a path; musl's and glibc's are short */

struct elf_interp {
	bool is_elf;
	bool same_cpu;		/* class, byte order and machine as ours */
	char interpreter[ELF_INTERP_PATH]; /* "" = statically linked */
};

/* An open file.  What cannot be read is no ELF file. */
void elf_interp_read(struct elf_interp *h, int fd);

/* The same; false: it cannot be opened. */
bool elf_interp_read_path(struct elf_interp *h, const char *path);

#endif

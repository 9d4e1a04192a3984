/*
 * Context: O.  Reads from the headers of an ELF file how the kernel runs it:
 * preload_check.c asks this of commands that are to load libmon.so,
 * libmon_find.c of libmon.so.
 */
#ifndef ELF_INTERP_H
#define ELF_INTERP_H

#include <stdbool.h>

/* bytes of a path; those of musl and glibc are short */
#define ELF_INTERP_PATH 256

/* Contents of the headers. */
struct elf_interp {
	/* it is an ELF file */
	bool is_elf;
	bool same_cpu;	/* class, byte order and machine as of this program */
	/* "": statically linked, or not known because same_cpu is false */
	char interpreter[ELF_INTERP_PATH];
};

/*
 * Reads the headers of an open file.  A file that cannot be read counts as no
 * ELF file.
 */
void elf_interp_read(struct elf_interp *h, int fd);

/*
 * Reads the headers of the file `path`.  Returns false if it cannot be opened.
 */
bool elf_interp_read_path(struct elf_interp *h, const char *path);

#endif

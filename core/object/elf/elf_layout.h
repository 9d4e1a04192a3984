/*
 * Context: O.  Reads where an ELF file's code lies: of any machine, word size
 * and byte order.  For the readers of classic and other tools' files in the
 * model, the writers of such files, the listing, the sampler and the choice of
 * input files.
 */
#ifndef ELF_LAYOUT_H
#define ELF_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most code segments that are kept, those with the lowest addresses. */
#define ELF_LAYOUT_SEGMENTS 16

/* A segment with code. */
struct elf_layout_segment {
	uint64_t address, bytes;	/* as in the ELF headers */
	uint64_t offset;		/* in the file */
};

/* The layout of an ELF file; addresses are as in its headers. */
struct elf_layout {
	bool wide;		/* 64 bits */
	bool big;		/* big-endian */
	uint64_t base;		/* start of its first segment, in whole pages */
	uint64_t low, high;	/* bounds of its code; equal: it has none */
	uint64_t offset;	/* of `low` in the file */
	bool headed;		/* a segment has the first page of the file */
	uint64_t head;		/* address of that page in the headers */
	/* Ascending by address */
	struct elf_layout_segment code[ELF_LAYOUT_SEGMENTS];
	size_t code_count;
	/* The file must be loaded at the addresses in its headers */
	bool fixed;
	/*
	 * An address in the function that starts the program or initializes the
	 * library
	 */
	uint64_t outside;
	uint64_t device;	/* as in a profile: major << 32 | minor */
	uint64_t inode;
	uint64_t changed;	/* ctime of the file, ns since 1970 */
	unsigned char build_id[32];
	size_t build_id_bytes;	/* 0: it has none, or a longer one */
};

/*
 * Returns whether the file begins as an ELF file.  Reports no error: returns
 * false instead.
 */
bool elf_layout_is_elf(const char *path);

/*
 * Reads the layout of the file at `path`.  Returns 0, -errno, or -ENOEXEC if it
 * is no ELF file with code.
 */
int elf_layout_read(struct elf_layout *p, const char *path);

/* A mapping of the file in a process. */
struct elf_layout_mapping {
	uint64_t start, end;
	uint64_t offset;	/* of `start` in the file */
	/* Address of the file's first page, or 0 if not known */
	uint64_t head;
};

/*
 * Returns the load bias of text in the mapping: run-time address less address
 * in the file's headers.  An object has one bias, which the address of its
 * first page gives, or which is 0 if the object is not relocatable.  Only if
 * neither is known, the bias is that of the segment that holds the bytes of the
 * mapping: of several segments, the first that holds all of them.
 */
uint64_t elf_layout_bias(const struct elf_layout *p,
    const struct elf_layout_mapping *m);

#endif

/* Context: O.  The object that a file of a classic profiler is of. */
#ifndef ELF_LAYOUT_H
#define ELF_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most code segments that are kept; of more, the lowest are. */
#define ELF_LAYOUT_SEGMENTS 16

struct elf_layout_segment {
	uint64_t address, bytes;	/* as in its headers */
	uint64_t offset;		/* in the file */
};

/* Of any byte order and width; addresses as in its headers. */
struct elf_layout {
	bool wide;		/* 64 bits */
	bool big;
	uint64_t base;		/* of its first segment, in whole pages */
	uint64_t low, high;	/* of its code, none = equal */
	uint64_t offset;	/* of `low` in the file */
	bool headed;		/* a segment has the file's first page */
	uint64_t head;		/* address of that page in the headers */
	struct elf_layout_segment code[ELF_LAYOUT_SEGMENTS];	/* ascending */
	size_t code_count;
	bool fixed;		/* it has to be where its headers say */
	uint64_t outside;	/* in the function that starts or sets it up */
	uint64_t device;	/* as a profile has it: major << 32, minor */
	uint64_t inode;
	uint64_t changed;	/* its ctime, ns since 1970 */
	unsigned char build_id[32];
	size_t build_id_bytes;	/* 0 = none, or a longer one */
};

/* Does the file begin as ELF?  Quiet; false on errors. */
bool elf_layout_is_elf(const char *path);

/* 0, -errno, or -ENOEXEC: not an ELF file with code. */
int elf_layout_read(struct elf_layout *p, const char *path);

/* A mapping of the file in a run. */
struct elf_layout_mapping {
	uint64_t start, end;
	uint64_t offset;	/* of `start` in the file */
	uint64_t head;		/* where the file's first page was, or 0 */
};

/*
 * Returns what run-time addresses of text in the mapping exceed the addresses
 * in the file's headers by.  An object has one bias, which the address of its
 * first page gives, or which is 0 if the object is not relocatable.  Only if
 * neither is known, the bias is that of the segment that holds the bytes of the
 * mapping: of several segments, the first that holds all of them.
 */
uint64_t elf_layout_bias(const struct elf_layout *p,
    const struct elf_layout_mapping *m);

#endif

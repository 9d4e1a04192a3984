/* Context: O.  The object that a file of a classic profiler is of. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of any byte order and width; addresses as in its headers. */
struct program {
	bool wide;		/* 64 bits */
	bool big;
	uint64_t base;		/* of its first segment, in whole pages */
	uint64_t low, high;	/* of its code, none = equal */
	uint64_t offset;	/* of `low` in the file */
	bool fixed;		/* it has to be where its headers say */
	uint64_t outside;	/* in the function that starts or sets it up */
	uint64_t device;	/* as a profile has it: major << 32, minor */
	uint64_t inode;
	uint64_t changed;	/* its ctime, ns since 1970 */
	unsigned char build_id[32];
	size_t build_id_bytes;	/* 0 = none, or a longer one */
};

/* Does the file begin as ELF?  Quiet; false on errors. */
bool program_is(const char *path);

/* 0, -errno, or -ENOEXEC: not an ELF file with code. */
int program_read(struct program *p, const char *path);

#endif

/* Context: S.  An object's ELF headers, read from memory that may vanish. */
#ifndef ELFMEM_H
#define ELFMEM_H

#include "cfi.h"
#include "sys.h"

struct elfmem {
	uint64_t bias;		/* run-time address - address in the headers */
	bool own;		/* executable text of the object at `head` */
	bool readable;		/* ... which can be read ... */
	uint64_t until;		/* ... and the end of that segment, or 0 */
	uint64_t next;		/* the next executable segment, or 0 */
	uint64_t low, high;	/* bounds of all segments */
	uint64_t dynamic;	/* run-time address of PT_DYNAMIC, or 0 */
	uint32_t build_id_bytes;
	uint8_t build_id[32];
	struct cfi_tables tables;	/* where they are mapped, all of them */
};

#define ELFMEM_NO_OFFSET	UINT64_MAX

/*
 * Reads the headers of the object whose first page is mapped at `head`, or of
 * the file `path` where that is not known (0) or cannot be read.
 *
 * An object has one bias.  The place of its first page tells it: if an
 * executable segment holds `start` by that bias, e->own is true.  Otherwise,
 * the bias is the one by which the file's bytes from `offset` on come to lie at
 * `start`; -ENOEXEC if no segment has them, or if it is no ELF object of 64
 * bits.  ELFMEM_NO_OFFSET: the memory is of no file, and the bias is the first.
 * ASIDE_AGAIN: the file is to be opened, and must not be here.  One caller at a
 * time: the one who reads the map.
 */
int elfmem_read(struct elfmem *e, uint64_t head, const char *path,
    uint64_t start, uint64_t offset);

/*
 * Copies n bytes of this process's memory, which may not be there.  How many
 * were copied, or -errno.
 */
long elfmem_copy(void *to, uint64_t from, size_t n);

/*
 * Is that file a regular one?  -errno where it is not there.  It is not opened,
 * which might act on a device.
 */
int elfmem_is_regular(const char *path);

#endif

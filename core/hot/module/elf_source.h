/*
 * Context: S.  Reads bytes of an object from memory that may vanish, or from
 * its file.
 *
 * Another thread may unmap the object during the read.  process_vm_readv on
 * this process answers EFAULT where a load would fault; where it is forbidden
 * (old container filters) the caller reads the file instead.  elf_headers.c,
 * elf_compare.c, link_map_list.c and module_table.c use these functions, in the
 * thread that reads the memory map, not in a frozen process.
 */
#ifndef ELF_SOURCE_H
#define ELF_SOURCE_H

#include "base/state.h"

/* The most bytes that one call of elf_source_fetch() returns. */
#define ELF_SOURCE_BYTES	sizeof(mon->module_bytes)

/* The bytes of an object: the file if fd >= 0, else memory at `head`. */
struct elf_source {
	uint64_t head;
	int fd;
	int error;		/* why the last fetch failed, as -errno */
	/* offset and number of the bytes in the buffer */
	uint64_t at;
	size_t have;
	/* buffer of ELF_SOURCE_BYTES bytes: mon->module_bytes */
	unsigned char *bytes;
};

/*
 * Returns the n bytes at `offset`, at most ELF_SOURCE_BYTES, or NULL if they
 * are not there; s->error says why.  They are valid until the next call.
 */
const unsigned char *elf_source_fetch(struct elf_source *s, uint64_t offset,
    size_t n);

/*
 * Copies n bytes of this process's memory, which need not be mapped.  Returns
 * the number of bytes copied, or -errno.
 */
long elf_source_copy_memory(void *to, uint64_t from, size_t n);

/*
 * Returns whether each page of the n bytes at `at` is mapped.  Whether they can
 * be read is checked at each use.
 */
bool elf_source_is_mapped(uintptr_t at, size_t n);

/*
 * Returns 1 if the file is a regular one, symbolic links followed, 0 if it is
 * not, or -errno if it cannot be looked at.  Does not open the file, because an
 * open might act on a device.
 */
int elf_source_is_regular_file(const char *path);

#endif

/* Context: S.  Where in the address space our memory is. */
#ifndef REGION_H
#define REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Map n bytes at an address that the kernel would not choose for the program
 * (doc/internals.md, section 2).  The other parameters are those of mmap(2),
 * with offset 0.  Returns the address, or NULL where the kernel refuses.  Any
 * thread may call it, signal handlers too.
 */
void *region_map(size_t n, int prot, int flags, int fd);

/*
 * Map `cap` bytes in the same way, of which only the first n are mapped at
 * first and unlocked before the mapping grows: after mlockall(MCL_FUTURE) the
 * kernel makes the pages of a new mapping real, but not those that mremap(2)
 * adds to an unlocked one.  Returns the address or NULL.
 */
void *region_map_sparse(size_t n, size_t cap, int prot, int flags, int fd);

/*
 * Map n bytes of private, anonymous memory, readable and writable, that count
 * only as they are touched.  Returns the address or NULL.
 */
void *region_memory(size_t n);

/* Unmap n bytes at p, and use their addresses again if they are the last. */
void region_unmap(void *p, size_t n);

/* Does [p, p + n) lie where region_map() places mappings? */
bool region_holds(const void *p, size_t n);

#endif

/*
 * Context: S.  Maps memory of the library's own, at addresses that the kernel
 * would not choose for the program.  All of the target uses it: no other file
 * maps memory, except over mappings that it has.  Only mmap_area_contains() and
 * mmap_area_has_placed() make no system call; no frozen process calls the
 * others, but for the handler of SIGBUS.
 */
#ifndef MMAP_AREA_H
#define MMAP_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Maps n bytes at an address that the kernel would not choose for the program
 * (doc/design/state.md); if it can have no such address, where the kernel
 * chooses.  The other parameters are those of mmap(2), with offset 0.  Returns
 * the address, or NULL if the kernel refuses.  Any thread and any signal
 * handler may call it.
 */
void *mmap_area_map(size_t n, int prot, int flags, int fd);

/*
 * Maps `cap` bytes as mmap_area_map() does, in two steps: first n bytes, whole
 * pages, which it unlocks, then the mapping grows.  After mlockall(MCL_FUTURE)
 * the kernel makes all pages of a new mapping resident, but not those that
 * mremap(2) adds to an unlocked one.  Returns the address or NULL.
 */
void *mmap_area_map_sparse(size_t n, size_t cap, int prot, int flags, int fd);

/*
 * Maps n bytes of private, anonymous memory, readable and writable, whose pages
 * count only once they are touched.  Returns the address or NULL.
 */
void *mmap_area_alloc(size_t n);

/*
 * Unmaps n bytes at p, all or the end of a mapping that a function above has
 * made.  Makes their addresses available again if they are the last that were
 * handed out.
 */
void mmap_area_unmap(void *p, size_t n);

/* Returns whether [p, p + n) lies where mmap_area_map() places mappings. */
bool mmap_area_contains(const void *p, size_t n);

/*
 * Returns whether [low, high) lies where mmap_area_map() has placed mappings so
 * far.
 */
bool mmap_area_has_placed(uintptr_t low, uintptr_t high);

/*
 * Says whether the kernel locks each new mapping, because of
 * mlockall(MCL_FUTURE): the functions above then unlock it again.
 * mmap_unlock_library() calls it and the function before.
 */
void mmap_area_set_locked(bool future);

#endif

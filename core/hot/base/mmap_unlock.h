/*
 * Context: S.  Unlocks the library's memory after mlockall(2) has locked it
 * with the program's.  Only the hook of that function calls it.
 */
#ifndef MMAP_UNLOCK_H
#define MMAP_UNLOCK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Unlocks the library's segments, and its mappings in the region of
 * mmap_area.c, after mlockall(2) has locked them, because locked memory counts
 * against the program's RLIMIT_MEMLOCK.  future: the call had MCL_FUTURE, so
 * the kernel locks each new mapping too, and mmap_area_map() unlocks it again.
 * scratch: a buffer of `room` bytes, which must exceed the longest line of the
 * memory map.  Opens the map: must run by private_fds_run().
 */
void mmap_unlock_library(bool future, char *scratch, size_t room);

#endif

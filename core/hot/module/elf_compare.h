/* Context: S.  Compares a mapped object with a file. */
#ifndef ELF_COMPARE_H
#define ELF_COMPARE_H

#include <stdint.h>

/*
 * Compares the ELF header at `head` in memory, and the program headers right
 * behind it, with the first bytes of the file `path`.  Returns 1 if they are
 * the same, 0 if not, or if either cannot be read; PRIVATE_FDS_RETRY if the
 * caller must repeat the call aside, because the file has to be opened.  One
 * caller at a time: the one that reads the map.
 */
int elf_compare_is_file(uint64_t head, const char *path);

#endif

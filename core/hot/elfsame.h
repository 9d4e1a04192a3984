/* Context: S.  Compares a mapped object with a file. */
#ifndef ELFSAME_H
#define ELFSAME_H

#include <stdint.h>

/*
 * Compares the ELF header at `head` in memory, and the program headers right
 * behind it, with the first bytes of the file `path`.  Returns 1 if they are
 * the same, 0 if not, or if either cannot be read; ASIDE_AGAIN if the caller
 * must repeat the call aside, because the file has to be opened.  One caller
 * at a time: the one that reads the map.
 */
int elfsame_is_file(uint64_t head, const char *path);

#endif

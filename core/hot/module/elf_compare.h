/*
 * Context: S.  Compares a mapped object with a file, to decide whether the
 * file's path may name the object.  mapped_object.c uses it.
 */
#ifndef ELF_COMPARE_H
#define ELF_COMPARE_H

#include <stdint.h>

/*
 * Compares the ELF header at `head` in memory, and the program headers right
 * behind it, with the first bytes of the file `path`.  Returns 1 if they are
 * equal; 0 if not, or if either cannot be read; PRIVATE_FDS_RETRY if the caller
 * must repeat the call by private_fds_run(), because the file has to be opened.
 * Only the thread that reads the memory map may call this: it overwrites
 * mon->module_bytes.
 */
int elf_compare_is_file(uint64_t head, const char *path);

#endif

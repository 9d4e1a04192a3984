/*
 * Context: S.  The program's calls that unmap or replace code: the memory map
 * is read again before a tick names an address there; doc/internals.md, section
 * 7.
 */
#ifndef CODE_UNMAP_H
#define CODE_UNMAP_H

#include <stddef.h>

/*
 * Call the functions behind ours (map_dispatch_real) with the same arguments
 * and return what those return, with their errno.  If the call takes away
 * memory in which the table of modules has code, the table is read again.  May
 * be called in a signal handler.
 */
void *code_unmap_mmap(void *at, size_t n, int prot, int flags, int fd,
    long offset);
void *code_unmap_mmap64(void *at, size_t n, int prot, int flags, int fd,
    long offset);
int code_unmap_munmap(void *at, size_t n);
void *code_unmap_mremap(void *at, size_t n, size_t to, int flags, void *there);

#endif

/*
 * Context: S.  The program's calls that unmap or replace code: the memory map
 * is read again before a tick names an address there; doc/internals.md, section
 * 7.
 */
#ifndef TEXTMAP_H
#define TEXTMAP_H

#include <stddef.h>

/*
 * Call the functions behind ours (map_real) with the same arguments and return
 * what those return, with their errno.  If the call takes away memory in which
 * the table of modules has code, the table is read again.  May be called in a
 * signal handler.
 */
void *textmap_mmap(void *at, size_t n, int prot, int flags, int fd,
    long offset);
void *textmap_mmap64(void *at, size_t n, int prot, int flags, int fd,
    long offset);
int textmap_munmap(void *at, size_t n);
void *textmap_mremap(void *at, size_t n, size_t to, int flags, void *there);

#endif

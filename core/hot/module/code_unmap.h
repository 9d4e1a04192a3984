/*
 * Context: S.  Forwards the program's calls that unmap or replace code, and has
 * the memory map read again where that matters; doc/design/modules.md.  The
 * stubs of mappings (preload/memory) jump to these functions, or map_hooks.c
 * calls them.
 */
#ifndef CODE_UNMAP_H
#define CODE_UNMAP_H

#include <stddef.h>

/*
 * Calls the function behind the hook (map_real) with the same arguments and
 * returns its result, with its errno.  If the call takes away memory in which
 * the table of modules has code, the table is read again: see
 * modules_note_code_gone().  May be called in a signal handler, and in a
 * process that is not profiled.  This holds for all four functions.
 */
void *code_unmap_mmap(void *at, size_t n, int prot, int flags, int fd,
    long offset);
void *code_unmap_mmap64(void *at, size_t n, int prot, int flags, int fd,
    long offset);
int code_unmap_munmap(void *at, size_t n);
void *code_unmap_mremap(void *at, size_t n, size_t to, int flags, void *there);

#endif

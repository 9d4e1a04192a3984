/*
 * Context: S.  The C side of the counting stubs in core/arch/CPU/map.S, which
 * alone call it.  A stub passes the arguments of its function in the places of
 * six; unnamed parameters fill those that the function does not have.  The last
 * argument says where the call came from.
 */
#ifndef MAP_HOOKS_H
#define MAP_HOOKS_H

#include "heap/alloc_thread.h"

/*
 * Calls the real function of that name, counts what it maps or unmaps in the
 * calling thread's alloc_thread, and returns its result.  from: registers of
 * the caller.  Any thread and any signal handler may call it.
 */
void *map_hooks_mmap(void *at, size_t n, int prot, int flags, int fd,
    long offset, const struct alloc_caller *from);
void *map_hooks_mmap64(void *at, size_t n, int prot, int flags, int fd,
    long offset, const struct alloc_caller *from);
int map_hooks_munmap(void *at, size_t n, long, long, long, long,
    const struct alloc_caller *from);
void *map_hooks_mremap(void *at, size_t n, size_t to, int flags, void *there,
    long, const struct alloc_caller *from);
int map_hooks_brk(void *end, long, long, long, long, long,
    const struct alloc_caller *from);
void *map_hooks_sbrk(intptr_t more, long, long, long, long, long,
    const struct alloc_caller *from);

#endif

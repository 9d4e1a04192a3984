/*
 * Context: S.  The C side of the counting stubs in core/arch/CPU/heap.S, which
 * alone call it.  A stub passes the arguments of its function in their places;
 * unnamed parameters fill those that the function does not have.  The last
 * argument but for an operator's number says where the call came from.
 */
#ifndef ALLOC_HOOKS_H
#define ALLOC_HOOKS_H

#include "heap/alloc_thread.h"

/*
 * Calls the real function of that name, counts what it gives out or frees in
 * the calling thread's alloc_thread, and returns its result.  from: registers
 * of the caller.  Any thread and any signal handler may call it.
 */
void *alloc_hooks_malloc(size_t n, size_t, size_t,
    const struct alloc_caller *from);
void alloc_hooks_free(void *p, size_t, size_t, const struct alloc_caller *from);
void *alloc_hooks_calloc(size_t n, size_t each, size_t,
    const struct alloc_caller *from);
void *alloc_hooks_realloc(void *p, size_t n, size_t,
    const struct alloc_caller *from);
void *alloc_hooks_reallocarray(void *p, size_t n, size_t each,
    const struct alloc_caller *from);
int alloc_hooks_posix_memalign(void **p, size_t align, size_t n,
    const struct alloc_caller *from);
void *alloc_hooks_aligned_alloc(size_t align, size_t n, size_t,
    const struct alloc_caller *from);
void *alloc_hooks_memalign(size_t align, size_t n, size_t,
    const struct alloc_caller *from);
void *alloc_hooks_valloc(size_t n, size_t, size_t,
    const struct alloc_caller *from);
void *alloc_hooks_pvalloc(size_t n, size_t, size_t,
    const struct alloc_caller *from);
void alloc_hooks_cfree(void *p, size_t, size_t,
    const struct alloc_caller *from);
void alloc_hooks_free_sized(void *p, size_t n, size_t,
    const struct alloc_caller *from);
void alloc_hooks_free_aligned_sized(void *p, size_t align, size_t n,
    const struct alloc_caller *from);

/*
 * Calls the real operator number `which` (alloc_dispatch.h), and counts the
 * block that it gives out (alloc_hooks_new, which returns the block) or frees
 * (alloc_hooks_delete).  The two sizes behind the first argument are further
 * arguments of the operator.  The real operator decides whether to throw, and
 * may throw past alloc_hooks_new().
 */
void *alloc_hooks_new(size_t n, size_t, size_t, const struct alloc_caller *from,
    unsigned which);
void alloc_hooks_delete(void *p, size_t, size_t,
    const struct alloc_caller *from, unsigned which);

#endif

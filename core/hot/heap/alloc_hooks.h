/*
 * Context: S.  What the counting stubs call: each has the arguments of its
 * function, in their places, and behind them where the call came from.
 */
#ifndef ALLOC_HOOKS_H
#define ALLOC_HOOKS_H

#include "heap/alloc_thread.h"

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

/* Operators, which[...] of them; each has its own way to throw, or none. */
void *alloc_hooks_new(size_t n, size_t, size_t, const struct alloc_caller *from,
    unsigned which);
void alloc_hooks_delete(void *p, size_t, size_t,
    const struct alloc_caller *from, unsigned which);

#endif

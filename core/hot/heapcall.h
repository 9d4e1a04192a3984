/*
 * Context: S.  What the counting stubs call: each has the arguments of its
 * function, in their places, and behind them where the call came from.
 */
#ifndef HEAPCALL_H
#define HEAPCALL_H

#include "lane.h"

void *heapcall_malloc(size_t n, size_t, size_t, const struct heap_from *from);
void heapcall_free(void *p, size_t, size_t, const struct heap_from *from);
void *heapcall_calloc(size_t n, size_t each, size_t,
    const struct heap_from *from);
void *heapcall_realloc(void *p, size_t n, size_t,
    const struct heap_from *from);
void *heapcall_reallocarray(void *p, size_t n, size_t each,
    const struct heap_from *from);
int heapcall_posix_memalign(void **p, size_t align, size_t n,
    const struct heap_from *from);
void *heapcall_aligned_alloc(size_t align, size_t n, size_t,
    const struct heap_from *from);
void *heapcall_memalign(size_t align, size_t n, size_t,
    const struct heap_from *from);
void *heapcall_valloc(size_t n, size_t, size_t, const struct heap_from *from);
void *heapcall_pvalloc(size_t n, size_t, size_t, const struct heap_from *from);
void heapcall_cfree(void *p, size_t, size_t, const struct heap_from *from);
void heapcall_free_sized(void *p, size_t n, size_t,
    const struct heap_from *from);
void heapcall_free_aligned_sized(void *p, size_t align, size_t n,
    const struct heap_from *from);

/* Operators, which[...] of them; each has its own way to throw, or none. */
void *heapcall_new(size_t n, size_t, size_t, const struct heap_from *from,
    unsigned which);
void heapcall_delete(void *p, size_t, size_t, const struct heap_from *from,
    unsigned which);

#endif

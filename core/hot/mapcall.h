/*
 * Context: S.  What the counting stubs of mappings call: each has the arguments
 * of its function, in the places of six, and behind them where the call came
 * from.
 */
#ifndef MAPCALL_H
#define MAPCALL_H

#include "lane.h"

void *mapcall_mmap(void *at, size_t n, int prot, int flags, int fd, long offset,
    const struct heap_from *from);
void *mapcall_mmap64(void *at, size_t n, int prot, int flags, int fd,
    long offset, const struct heap_from *from);
int mapcall_munmap(void *at, size_t n, long, long, long, long,
    const struct heap_from *from);
void *mapcall_mremap(void *at, size_t n, size_t to, int flags, void *there,
    long, const struct heap_from *from);
int mapcall_brk(void *end, long, long, long, long, long,
    const struct heap_from *from);
void *mapcall_sbrk(intptr_t more, long, long, long, long, long,
    const struct heap_from *from);

#endif

/* Context: load.  Declarations that arcs.c and arcs_lib.c share. */
#ifndef ARCS_H
#define ARCS_H

#ifdef __clang__
#define WHOLE __attribute__((noinline))
#else
#define WHOLE __attribute__((noinline, noclone))
#endif
/* Or a call whose value is known is left out. */
#define KEEP(x) __asm__ volatile("" : "+r"(x))

void lib_each(unsigned n, void (*fn)(unsigned, void *), void *arg);
unsigned lib_sum(unsigned n);
unsigned lib_depth(unsigned n);

#endif

/* Context: O.  A program of three functions for classic files, for tests. */
#ifndef THREE_H
#define THREE_H

#include "classics.h"

/*
 * "prog" in the directory of compile.h: first, second and third, of 16, 16 and
 * 32 bytes, behind 64 without a name; where the first is.  The file that
 * classics.h makes of that address has 5 ticks in first, 7 in third, and 3
 * calls of third by second.
 */
uint64_t three_compile(void);

void three_save(const struct classics *k, const char *name);

/* All of them: file `name` in 64 bits of this machine. */
typedef void three_maker(struct classics *k, uint64_t low);
void three_put(const char *name, three_maker *make, uint64_t low);

#endif

/*
 * Context: O.  2^n call paths that say which they are: a call of zero() or
 * one() for each bit, from the lowest on, and then of the program's ask(what).
 */
#ifndef BITS_H
#define BITS_H

#include <stddef.h>

static void ask(size_t what);
static void zero(unsigned bits, unsigned left, size_t what);
static void one(unsigned bits, unsigned left, size_t what);

/*
 * instruction: none of the two may be a copy of the other, nor end by a jump.
 */
#define BITS_CALL(name, instruction) \
__attribute__((noinline)) static void \
name(unsigned bits, unsigned left, size_t what) \
{ \
	if (left == 0) \
		ask(what); \
	else if ((bits & 1) != 0) \
		one(bits >> 1, left - 1, what); \
	else \
		zero(bits >> 1, left - 1, what); \
	__asm__ volatile(instruction ::: "memory"); \
}

BITS_CALL(zero, "")
BITS_CALL(one, "nop")

#endif

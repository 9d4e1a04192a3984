/*
 * Context: P.  Distances of jumps all bytes of which trap.  The four bytes of
 * such a distance are one byte that always raises a signal, so it does not
 * matter where inside the jump the program may land: it is found there
 * (doc/design/entries.md, invariant 1).  The targets of jumps with one distance
 * are a mirror of the code: as far from each other as the jumps are.
 */
#ifndef TRAP_MIRROR_H
#define TRAP_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

#define TRAP_MIRRORS	20

/*
 * Returns the distance of mirror i, below TRAP_MIRRORS, of `jmp rel32`: from
 * the end of the jump.  Mirror 0, below the code, traps with int3.  The others
 * trap with opcodes that 64-bit mode does not have: first those below the code,
 * then those above it, each the furthest first.
 */
int32_t trap_mirror_distance(unsigned i);

/*
 * Returns whether the byte, as the first of an instruction, raises SIGILL in
 * 64-bit mode whatever follows it, or SIGTRAP (int3).
 */
bool trap_mirror_has(uint8_t byte);

#endif

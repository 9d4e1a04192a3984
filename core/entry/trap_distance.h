/*
 * Context: P.  Distances of a jump whose bytes trap: where a displaced
 * instruction starts inside the jump of an entry, the byte there must be one
 * that always traps, so that a jump of the program to it is found
 * (doc/design/entries.md, invariant 1).  The byte is part of the distance, so
 * it says where the stub can lie.
 */
#ifndef TRAP_DISTANCE_H
#define TRAP_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns whether the byte, as the first of an instruction, raises SIGILL in
 * 64-bit mode whatever follows it, or SIGTRAP (int3).
 */
bool trap_byte_is(uint8_t byte);

/*
 * Finds the least distance of `jmp rel32` that is `from` or more and traps at
 * each byte of the jump whose bit is in `starts` (entry_place.starts, bits 1
 * to 4).  Sets *found to it.  Returns false if there is none.
 */
bool trap_distance_next(unsigned starts, int32_t from, int32_t *found);

#endif

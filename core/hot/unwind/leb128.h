/*
 * Context: S.  Reads numbers of variable length from unwind tables and DWARF
 * expressions: LEB128, DWARF 5, 7.6.  A number that breaks off at `end` is read
 * as far as it goes.  Works on bytes that the caller knows to be mapped, or in
 * a walk that can end by a fault.
 */
#ifndef LEB128_H
#define LEB128_H

#include <stdint.h>

/*
 * Reads an unsigned LEB128 number at *p, and moves *p behind it, at most to
 * `end`.
 */
uint64_t leb128_read_unsigned(const unsigned char **p,
    const unsigned char *end);

/* Reads a signed LEB128 number in the same way. */
int64_t leb128_read_signed(const unsigned char **p, const unsigned char *end);

#endif

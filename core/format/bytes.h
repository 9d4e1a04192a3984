/*
 * Context: P.  Reads integers of either byte order at any offset of a block of
 * bytes whose size is known, and writes little-endian ones.  For readers and
 * writers of the files of other profilers: core/format/classic, core/import and
 * core/export in the tools, core/runtime in libmon.so.  Inline.
 */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A borrowed block of bytes and the byte order of its integers. */
struct bytes {
	const unsigned char *at;
	size_t size;
	bool big;		/* true: big-endian */
};

/* Returns whether `count` bytes at `offset` lie within the block. */
static inline bool
bytes_has(const struct bytes *b, uint64_t offset, uint64_t count)
{
	return offset <= b->size && count <= b->size - offset;
}

/*
 * Returns the unsigned integer of `width` bytes, at most 8, at `offset`.  The
 * caller has checked with bytes_has() that they are there.
 */
static inline uint64_t
bytes_get(const struct bytes *b, uint64_t offset, unsigned width)
{
	const unsigned char *at = b->at + offset;
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value = value << 8 | at[b->big ? i : width - 1 - i];
	return value;
}

/*
 * Stores the low `width` bytes of `value` at `to`, little-endian as on every
 * machine that libmon runs on.  Returns the address behind them.
 */
static inline unsigned char *
bytes_put(unsigned char *to, uint64_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		to[i] = (unsigned char)(value >> 8 * i);
	return to + width;
}

#endif

/* Context: P.  Numbers of either byte order, at any place of bounded bytes. */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	const unsigned char *at;
	size_t size;
	bool big;
};

static inline bool
bytes_has(const struct bytes *b, uint64_t offset, uint64_t count)
{
	return offset <= b->size && count <= b->size - offset;
}

/* They are there: bytes_has().  `width` is at most 8. */
static inline uint64_t
bytes_get(const struct bytes *b, uint64_t offset, unsigned width)
{
	const unsigned char *at = b->at + offset;
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value = value << 8 | at[b->big ? i : width - 1 - i];
	return value;
}

/* In the byte order of every machine that libmon runs on; what is behind. */
static inline unsigned char *
bytes_put(unsigned char *to, uint64_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		to[i] = (unsigned char)(value >> 8 * i);
	return to + width;
}

#endif

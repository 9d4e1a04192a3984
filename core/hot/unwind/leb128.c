/*
 * Context: S.  Reads LEB128 numbers, for the readers of unwind tables; see
 * leb128.h.
 */
#include "unwind/leb128.h"

uint64_t
leb128_read_unsigned(const unsigned char **p, const unsigned char *end)
{
	unsigned shift = 0;
	uint64_t n = 0;

	while (*p < end) {
		unsigned char byte = *(*p)++;

		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if ((byte & 0x80) == 0)
			break;
	}
	return n;
}

int64_t
leb128_read_signed(const unsigned char **p, const unsigned char *end)
{
	unsigned shift = 0;
	uint64_t n = 0;
	unsigned char byte = 0;

	while (*p < end) {
		byte = *(*p)++;
		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if ((byte & 0x80) == 0)
			break;
	}
	if ((byte & 0x40) != 0 && shift < 64)
		n |= ~(uint64_t)0 << shift;
	return (int64_t)n;
}

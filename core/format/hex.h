/*
 * Context: P.  Writes bytes as hexadecimal digits, as a build-id is shown: for
 * debug files, reports, and the files of tprof and of other tools.
 */
#ifndef HEX_H
#define HEX_H

#include <stddef.h>
#include <stdint.h>

/*
 * Writes `count` bytes as 2 * count lower-case hexadecimal digits and a NUL.
 * Returns the address of the NUL.
 */
static inline char *
hex_put(char *to, const uint8_t *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < count; i++) {
		*to++ = digits[bytes[i] >> 4];
		*to++ = digits[bytes[i] & 15];
	}
	*to = '\0';
	return to;
}

#endif

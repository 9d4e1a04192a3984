/*
 * Context: S.  The few string and memory functions that a signal handler needs,
 * as it may not call libc's.  All of the target uses them.
 */
#ifndef STR_H
#define STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that is built in a fixed buffer. */
struct str {
	char *at;		/* where the next byte goes */
	size_t room;		/* bytes left, the final NUL included */
	bool full;		/* a byte did not fit and was left out */
};

/*
 * str_init() makes s an empty text in the buffer `place` of `room` bytes.  The
 * other functions append to it: a NUL-terminated text, n bytes, or a decimal
 * number.  A part that does not fit is left out, and s->full is set.  The
 * buffer always ends with a NUL, unless room is 0.
 */
void str_init(struct str *s, char *place, size_t room);
void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const char *text, size_t n);
void str_add_number(struct str *s, uint64_t n);

/*
 * str_length() is strlen(); mem_copy() is memcpy() from the first byte to the
 * last, so `to` may lie below an overlapping `from`; mem_zero() sets n bytes to
 * 0.  str_equal() and mem_equal() return whether two texts, or n bytes, are
 * equal; str_begins() returns whether s begins with `head`.  str_copy() copies
 * a text into a buffer of `room` bytes, cut to fit and always terminated.
 */
size_t str_length(const char *s);
bool str_equal(const char *a, const char *b);
bool str_begins(const char *s, const char *head);
void str_copy(char *to, const char *from, size_t room);
void mem_copy(void *to, const void *from, size_t n);
void mem_zero(void *to, size_t n);
bool mem_equal(const void *a, const void *b, size_t n);

/* Bytes of a cache line. */
#define CACHE_LINE	64u

/*
 * Asks the processor for the cache lines of n bytes at p, which the caller
 * needs soon.
 */
static inline void
mem_prefetch(const void *p, size_t n)
{
	for (size_t i = 0; i < n; i += CACHE_LINE)
		__builtin_prefetch((const char *)p + i);
}

/*
 * str_decimal() and str_hex() read a number in decimal or lower-case
 * hexadecimal digits at *s, and move *s behind it.  Both return 0 if there is
 * no digit.  str_decimal() returns UINT64_MAX for a larger number; str_hex()
 * keeps its low 64 bits.
 */
uint64_t str_decimal(const char **s);
uint64_t str_hex(const char **s);

#endif

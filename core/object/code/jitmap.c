/*
 * Context: O.  Names of generated code, from the perf map that its compiler
 * wrote, for the model (names/generated_names.c); see symbol/symbol_text.h.
 */
#define _GNU_SOURCE		/* memrchr */
#include "code/address_claims.h"
#include "symbol/symbol_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the value of a hexadecimal digit; 16 if it is none. */
static unsigned
jitmap_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/*
 * Reads a number and the blank after it.  strtoull(3) would accept signs,
 * numbers that overflow, and a number on the next line.  A line that is wrong
 * names nothing.
 */
static bool
jitmap_number(const char **at, const char *end, uint64_t *value)
{
	const char *from;

	if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x')
		*at += 2;
	from = *at;
	for (*value = 0; *at < end && jitmap_digit(**at) < 16; ++*at) {
		if (*value >> 60 != 0)
			return false;
		*value = *value << 4 | jitmap_digit(**at);
	}
	return *at != from && *at < end && *(*at)++ == ' ';
}

/*
 * Gives the addresses of a line to it.  Lines are read last to first, so that
 * the first to claim an address is the latest.
 */
static int
jitmap_claim(const char *line, size_t bytes, struct symbol *asked,
    size_t count, struct address_claims *claims, struct arena *arena)
{
	const char *end = line + bytes, *at = line;
	uint64_t start, size;
	const char *name = NULL;

	if (!jitmap_number(&at, end, &start) ||
	    !jitmap_number(&at, end, &size) || at >= end)
		return 0;
	for (size_t i = address_claims_next_free(claims,
	    symbol_lookup_lower_bound(asked, count, start)); i < count &&
	    asked[i].address - start < size; i =
	    address_claims_next_free(claims, i)) {
		if (name == NULL)
			name = arena_copy(arena, at,
			    (size_t)(line + bytes - at));
		if (name == NULL)
			return -ENOMEM;
		asked[i].name = name;
		asked[i].start = start;
		asked[i].start_known = true;
		address_claims_take(claims, i);
	}
	return 0;
}

/* Reads the lines from the last to the first.  Returns 0 or -ENOMEM. */
static int
jitmap_lines(const char *text, size_t bytes, struct symbol *asked,
    size_t count, struct address_claims *claims, struct arena *arena)
{
	int ret = 0;

	while (bytes > 0 && ret == 0) {
		const char *end = memrchr(text, '\n', bytes);
		const char *line;

		/* The text after the last newline is still being written. */
		if (end == NULL)
			break;
		bytes = (size_t)(end - text);
		line = memrchr(text, '\n', bytes);
		line = line == NULL ? text : line + 1;
		ret = jitmap_claim(line, (size_t)(end - line), asked, count,
		    claims, arena);
	}
	return ret;
}

int
jitmap_name(const char *path, uid_t owner, struct symbol *asked,
    size_t count, struct arena *arena)
{
	struct address_claims claims;
	size_t bytes;
	uid_t writer;
	char *text = symbol_text_read(path, &bytes, &writer);
	int ret = -ENOMEM;

	if (text == NULL || (writer != owner && writer != 0)) {
		free(text);
		return 0;
	}
	if (address_claims_begin(&claims, count))
		ret = jitmap_lines(text, bytes, asked, count, &claims, arena);
	address_claims_end(&claims);
	free(text);
	return ret;
}

/* Context: O.  Parts of a text that belong to nobody here: no NUL ends them. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	const char *at;		/* NULL = not told */
	size_t bytes;
};

/* Its lines, one after the other. */
struct text_lines {
	struct text rest;
	uint64_t number;	/* of the last one, from 1 on */
};

static inline struct text
text_of(const char *words)
{
	return (struct text) { words, strlen(words) };
}

/* What is behind the first `bytes` of it. */
static inline struct text
text_skip(struct text t, size_t bytes)
{
	return (struct text) { t.at + bytes, t.bytes - bytes };
}

static inline struct text
text_until(struct text t, const char *end)
{
	return (struct text) { t.at, (size_t)(end - t.at) };
}

static inline bool
text_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
text_equal(struct text a, struct text b)
{
	return a.bytes == b.bytes && (a.bytes == 0 ||
	    memcmp(a.at, b.at, a.bytes) == 0);
}

static inline bool
text_equal_str(struct text t, const char *words)
{
	return t.bytes == strlen(words) && memcmp(t.at, words, t.bytes) == 0;
}

/* Without line ends, either kind; false: there is no more. */
bool text_next_line(struct text_lines *l, struct text *line);

/*
 * Returns the line that text_next_line() will read next, or at == NULL for
 * none.
 */
struct text text_peek_line(const struct text_lines *l);

/* Without the blanks around it. */
struct text text_trim(struct text t);

/* Does it begin so?  Then *t is what is behind that. */
bool text_skip_prefix(struct text *t, const char *words);

/*
 * The digits that it begins with, in base 10 or 16, at least one, and what is
 * behind them.  False where there are none, or where they are too many.
 */
bool text_parse_number(struct text *t, unsigned base, uint64_t *value);

/*
 * Parses the whole text as a number with an optional sign: "12", "-3".  Returns
 * false if it is none, or does not fit in *value.
 */
bool text_parse_signed(struct text t, int64_t *value);

/* What it begins with up to a blank, and what is behind those. */
struct text text_next_word(struct text *t);

/* The last byte of that kind; NULL = none. */
const char *text_find_last(struct text t, char c);

/* Returns the last blank or tab, or NULL. */
const char *text_find_last_blank(struct text t);

/*
 * Returns whether the text has no control characters but tabs; a line of a text
 * never has others.
 */
bool text_is_clean(struct text t);

#endif

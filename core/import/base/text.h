/*
 * Context: O.  Pieces of borrowed text that no NUL ends, and functions to take
 * them apart.  For the readers of text formats in core/import,
 * core/model/foreign and the header of tprof.out.  No function allocates or
 * copies; a piece is valid as long as the bytes of the file.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A piece of text. */
struct text {
	const char *at;		/* NULL: not known */
	size_t bytes;
};

/*
 * The lines of a text that are still to be read.  The caller sets `rest` to the
 * text and `number` to 0.
 */
struct text_lines {
	struct text rest;
	/* Number of the line that was read last, from 1 on */
	uint64_t number;
};

/* Returns a text ended by NUL as a piece. */
static inline struct text
text_of(const char *words)
{
	return (struct text) { words, strlen(words) };
}

/* Returns the text behind its first `bytes` bytes, which it must have. */
static inline struct text
text_skip(struct text t, size_t bytes)
{
	return (struct text) { t.at + bytes, t.bytes - bytes };
}

/* Returns the text up to `end`, which lies in it. */
static inline struct text
text_until(struct text t, const char *end)
{
	return (struct text) { t.at, (size_t)(end - t.at) };
}

/* Returns whether c is a blank or a tab. */
static inline bool
text_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Returns whether c is a decimal digit. */
static inline bool
text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns whether two texts are equal. */
static inline bool
text_equal(struct text a, struct text b)
{
	return a.bytes == b.bytes && (a.bytes == 0 ||
	    memcmp(a.at, b.at, a.bytes) == 0);
}

/* Returns whether the text equals `words`. */
static inline bool
text_equal_str(struct text t, const char *words)
{
	return t.bytes == strlen(words) && memcmp(t.at, words, t.bytes) == 0;
}

/*
 * Reads the next line, without its end, which may be "\n" or "\r\n"; the last
 * line may have none.  Returns false if there is no line, and leaves *line as
 * it was.
 */
bool text_next_line(struct text_lines *l, struct text *line);

/*
 * Returns the line that text_next_line() will read next, or at == NULL for
 * none.
 */
struct text text_peek_line(const struct text_lines *l);

/* Returns the text without the blanks and tabs around it. */
struct text text_trim(struct text t);

/*
 * Returns whether the text begins with `words`, and then moves *t behind them.
 */
bool text_skip_prefix(struct text *t, const char *words);

/*
 * Parses the digits, in base 10 or 16, that the text begins with, and moves *t
 * behind them.  Returns false if there are none, or the number does not fit; *t
 * is not moved then, but *value is changed.
 */
bool text_parse_number(struct text *t, unsigned base, uint64_t *value);

/*
 * Parses the whole text as a decimal number with an optional minus: "12", "-3".
 * Returns false if it is none, or its amount is more than INT64_MAX.
 */
bool text_parse_signed(struct text t, int64_t *value);

/*
 * Returns what the text begins with up to a blank or tab, and moves *t behind
 * that and the blanks that follow.  The word is empty if the text is, or begins
 * with a blank.
 */
struct text text_next_word(struct text *t);

/* Returns where the last byte that is c lies, or NULL. */
const char *text_find_last(struct text t, char c);

/* Returns where the last blank or tab lies, or NULL. */
const char *text_find_last_blank(struct text t);

/*
 * Returns whether the text has no control characters but tabs; a line of a text
 * never has others.
 */
bool text_is_clean(struct text t);

#endif

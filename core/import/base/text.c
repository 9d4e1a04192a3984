/*
 * Context: O.  Takes texts apart, for the readers of text formats; see text.h.
 */
#define _GNU_SOURCE		/* memrchr */
#include "base/text.h"

bool
text_next_line(struct text_lines *l, struct text *line)
{
	const char *end;

	if (l->rest.bytes == 0)
		return false;
	end = memchr(l->rest.at, '\n', l->rest.bytes);
	*line = end == NULL ? l->rest : text_until(l->rest, end);
	l->rest = text_skip(l->rest, line->bytes + (end != NULL));
	l->number++;
	if (line->bytes != 0 && line->at[line->bytes - 1] == '\r')
		line->bytes--;
	return true;
}

struct text
text_peek_line(const struct text_lines *l)
{
	struct text_lines next = *l;
	struct text line = { 0 };

	text_next_line(&next, &line);
	return line;
}

struct text
text_trim(struct text t)
{
	while (t.bytes != 0 && text_is_blank(*t.at))
		t = text_skip(t, 1);
	while (t.bytes != 0 && text_is_blank(t.at[t.bytes - 1]))
		t.bytes--;
	return t;
}

bool
text_skip_prefix(struct text *t, const char *words)
{
	const size_t bytes = strlen(words);

	if (t->bytes < bytes || memcmp(t->at, words, bytes) != 0)
		return false;
	*t = text_skip(*t, bytes);
	return true;
}

/* Returns the value of a digit, 255 if c is none. */
static unsigned
digit_of(char c)
{
	if (text_is_digit(c))
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 255;
}

bool
text_parse_number(struct text *t, unsigned base, uint64_t *value)
{
	size_t n = 0;

	*value = 0;
	for (; n < t->bytes && digit_of(t->at[n]) < base; n++) {
		const unsigned digit = digit_of(t->at[n]);

		if (*value > (UINT64_MAX - digit) / base)
			return false;
		*value = *value * base + digit;
	}
	*t = text_skip(*t, n);
	return n != 0;
}

bool
text_parse_signed(struct text t, int64_t *value)
{
	const bool below = text_skip_prefix(&t, "-");
	uint64_t number;

	if (!text_parse_number(&t, 10, &number) || t.bytes != 0 ||
	    number > INT64_MAX)
		return false;
	*value = below ? -(int64_t)number : (int64_t)number;
	return true;
}

struct text
text_next_word(struct text *t)
{
	struct text word = *t;
	size_t n = 0;

	while (n < t->bytes && !text_is_blank(t->at[n]))
		n++;
	word.bytes = n;
	while (n < t->bytes && text_is_blank(t->at[n]))
		n++;
	*t = text_skip(*t, n);
	return word;
}

const char *
text_find_last(struct text t, char c)
{
	return t.bytes == 0 ? NULL : memrchr(t.at, c, t.bytes);
}

const char *
text_find_last_blank(struct text t)
{
	for (size_t i = t.bytes; i-- > 0;)
		if (text_is_blank(t.at[i]))
			return t.at + i;
	return NULL;
}

bool
text_is_clean(struct text t)
{
	for (size_t i = 0; i < t.bytes; i++)
		if ((unsigned char)t.at[i] < ' ' && t.at[i] != '\t')
			return false;
	return true;
}

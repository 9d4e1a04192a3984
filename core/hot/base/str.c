/*
 * Context: S.  The few string and memory functions that a signal handler needs;
 * all of the target calls them, see str.h.
 */
#include "base/str.h"

#include "base/state.h"

void
str_init(struct str *s, char *place, size_t room)
{
	s->at = place;
	s->room = room;
	s->full = room == 0;
	if (room > 0)
		*place = '\0';
}

void
str_add_bytes(struct str *s, const char *text, size_t n)
{
	while (n > 0 && s->room > 1) {
		*s->at++ = *text++;
		s->room--;
		n--;
	}
	if (s->room > 0)
		*s->at = '\0';
	if (n > 0)
		s->full = true;
}

void
str_add(struct str *s, const char *text)
{
	str_add_bytes(s, text, str_length(text));
}

void
str_add_number(struct str *s, uint64_t n)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	str_add_bytes(s, digits + i, sizeof(digits) - i);
}

size_t
str_length(const char *s)
{
	size_t n = 0;

	while (s[n] != '\0')
		n++;
	return n;
}

bool
str_equal(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

bool
str_begins(const char *s, const char *head)
{
	while (*head != '\0')
		if (*s++ != *head++)
			return false;
	return true;
}

void
str_copy(char *to, const char *from, size_t room)
{
	struct str s;

	str_init(&s, to, room);
	str_add(&s, from);
}

void
mem_copy(void *to, const void *from, size_t n)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	while (n-- > 0)
		*t++ = *f++;
}

STATE_START void
mem_zero(void *to, size_t n)
{
	unsigned char *t = to;

	while (n-- > 0)
		*t++ = 0;
}

bool
mem_equal(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	while (n-- > 0)
		if (*p++ != *q++)
			return false;
	return true;
}

uint64_t
str_decimal(const char **s)
{
	uint64_t n = 0;

	for (; **s >= '0' && **s <= '9'; (*s)++) {
		uint64_t digit = (uint64_t)(**s - '0');

		n = n > (UINT64_MAX - digit) / 10 ? UINT64_MAX :
		    n * 10 + digit;
	}
	return n;
}

uint64_t
str_hex(const char **s)
{
	uint64_t n = 0;
	char c;

	for (;; (*s)++) {
		c = **s;
		if (c >= '0' && c <= '9')
			n = n << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			n = n << 4 | (uint64_t)(c - 'a' + 10);
		else
			return n;
	}
}

/*
 * Context: O.  Reads UTF-8 text from outside character by character, for
 * terminals, JSON and pprof; see utf8.h.
 */
#define _GNU_SOURCE		/* wcwidth, uselocale */
#include "base/utf8.h"

#include <langinfo.h>
#include <locale.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

/*
 * Returns the locale for wcwidth(3), whose result depends on a locale; the
 * width of a name does not.  The user's locale is not used first: the C locale
 * most often means that none was set, on a terminal that shows UTF-8
 * nevertheless, and a report in a file should not depend on the user who made
 * it.  So C.UTF-8 is used or, if it is missing, the user's locale; without any
 * UTF-8 locale each character takes one column.  The first call makes the
 * locale and must not run in two threads at once.
 */
static locale_t
utf8_locale(void)
{
	static locale_t utf8;
	static bool tried;
	static const char *const name[] = { "C.UTF-8", "" };

	for (size_t i = 0; i < 2 && !tried && utf8 == (locale_t)0; i++) {
		utf8 = newlocale(LC_CTYPE_MASK, name[i], (locale_t)0);
		if (utf8 == (locale_t)0 ||
		    strcmp(nl_langinfo_l(CODESET, utf8), "UTF-8") == 0)
			continue;
		freelocale(utf8);
		utf8 = (locale_t)0;
	}
	tried = true;
	return utf8;
}

/*
 * Returns the columns of a character: 1 if libc does not know it or it must not
 * be shown.
 */
static int
char_columns(uint32_t code)
{
	locale_t utf8 = utf8_locale(), before;
	int columns;

	if (utf8 == (locale_t)0)
		return 1;
	before = uselocale(utf8);
	columns = wcwidth((wchar_t)code);
	uselocale(before);
	return columns < 0 ? 1 : columns;
}

/*
 * Returns the number of bytes of a well-formed character of several bytes and
 * sets *code, else returns 0.
 */
static size_t
decode_utf8(const unsigned char *c, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t bytes = c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 :
	    c[0] < 0xf5 ? 4 : 0;

	if (bytes == 0)
		return 0;
	*code = c[0] & (0x7fu >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (c[i] & 0x3fu);
	}
	/* An overlong form might be read as a control character. */
	return *code < least[bytes] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code < 0xe000) ? 0 : bytes;
}

/*
 * Control characters are not shown, nor those from 0x80 to 0x9f, which also
 * command a terminal, nor bytes that are part of no character: in Latin-1 they
 * could be one of these.
 */
struct utf8_char
utf8_first(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	struct utf8_char g = { .bytes = 1, .columns = 1 };
	uint32_t code;
	size_t bytes;

	if (c[0] < 0x80) {
		g.shown = c[0] >= 0x20 && c[0] != 0x7f;
		return g;
	}
	bytes = decode_utf8(c, &code);
	if (bytes == 0)
		return g;
	g.bytes = bytes;
	g.shown = code >= 0xa0;
	if (g.shown)
		g.columns = char_columns(code);
	return g;
}

static bool
is_invalid_byte(const char *text, const struct utf8_char *g)
{
	return g->bytes == 1 && (unsigned char)*text >= 0x80;
}

bool
utf8_is_valid(const char *text)
{
	for (struct utf8_char g; *text != '\0'; text += g.bytes) {
		g = utf8_first(text);
		if (is_invalid_byte(text, &g))
			return false;
	}
	return true;
}

void
utf8_put(FILE *out, const char *text)
{
	for (struct utf8_char g; *text != '\0'; text += g.bytes) {
		g = utf8_first(text);
		if (is_invalid_byte(text, &g))
			fputs("\xef\xbf\xbd", out);
		else
			fwrite(text, 1, g.bytes, out);
	}
}

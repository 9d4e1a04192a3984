/* Context: O.  Where the report goes: terminal or not, and how wide. */
#include "term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TERM_NARROW 40	/* below it cutting helps nobody */

void
term_init(struct term *t, FILE *out)
{
	const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	t->out = out;
	t->colour = false;
	t->width = 0;
	if (!isatty(fileno(out)))
		return;
	t->colour = (no == NULL || no[0] == '\0') && kind != NULL &&
	    strcmp(kind, "dumb") != 0;
	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
		t->width = size.ws_col;
	if (t->width == 0)
		t->width = columns != NULL ? atoi(columns) : 80;
	if (t->width < TERM_NARROW)
		t->width = TERM_NARROW;
}

const char *
term_on(const struct term *t, enum term_style style)
{
	static const char *const code[] = {
		[TERM_HEAD] = "\033[1m",
		[TERM_HOT] = "\033[31m",
		[TERM_DIM] = "\033[2m",
	};

	return t->colour ? code[style] : "";
}

const char *
term_off(const struct term *t)
{
	return t->colour ? "\033[0m" : "";
}

/*
 * Bytes of the first character, UTF-8; *shown: may a terminal see it?  Not a
 * control character, nor one of 0x80 to 0x9f, which command a terminal too, nor
 * a byte that is no character: in Latin-1 it could be one of these.
 */
static size_t
term_character(const char *text, bool *shown)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t bytes = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;

	*shown = c[0] >= 0x20 && c[0] != 0x7f && (c[0] < 0x80 ||
	    (c[0] >= 0xc2 && c[0] < 0xf5)) && (c[0] != 0xc2 || c[1] >= 0xa0);
	for (size_t i = 1; i < bytes; i++)
		if ((c[i] & 0xc0) != 0x80) {
			*shown = false;
			return 1;
		}
	return c[0] >= 0x80 && c[0] < 0xc2 ? 1 : bytes;
}

int
term_columns(const char *text)
{
	int columns = 0;
	bool shown;

	for (; *text != '\0'; text += term_character(text, &shown))
		columns++;
	return columns;
}

static const char *
put_columns(FILE *out, const char *text, int columns)
{
	for (; *text != '\0' && columns > 0; columns--) {
		bool shown;
		size_t bytes = term_character(text, &shown);

		if (shown)
			fwrite(text, 1, bytes, out);
		else
			putc('?', out);
		text += bytes;
	}
	return text;
}

static const char *
skip_columns(const char *text, int columns)
{
	bool shown;

	for (; *text != '\0' && columns > 0; columns--)
		text += term_character(text, &shown);
	return text;
}

int
term_text(const struct term *t, const char *text, int width)
{
	int all = term_columns(text), head;

	if (width <= 0 || all <= width) {
		put_columns(t->out, text, all);
		return all;
	}
	/* The end of a long C++ name says more than its middle. */
	head = (width - 3) / 2;
	put_columns(t->out, text, head);
	fputs("...", t->out);
	text = skip_columns(text, all - (width - 3 - head));
	put_columns(t->out, text, width - 3 - head);
	return width;
}

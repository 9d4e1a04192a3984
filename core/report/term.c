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

/* UTF-8: bytes that continue a character take no column. */
static bool
continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

int
term_columns(const char *text)
{
	int columns = 0;

	for (; *text != '\0'; text++)
		columns += !continues(*text);
	return columns;
}

static const char *
put_columns(FILE *out, const char *text, int columns)
{
	while (*text != '\0' && (columns > 0 || continues(*text))) {
		unsigned char c = (unsigned char)*text++;

		putc(c < 0x20 || c == 0x7f ? '?' : c, out);
		columns -= !continues((char)c);
	}
	return text;
}

static const char *
skip_columns(const char *text, int columns)
{
	while (*text != '\0' && (columns > 0 || continues(*text)))
		columns -= !continues(*text++);
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

/* Context: O.  Where the report goes: terminal or not, and how wide. */
#include "base/term.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TERM_NARROW 40	/* below it cutting helps nobody */

static struct {
	FILE *memory, *terminal;
} term_alias;

void
term_set_alias(FILE *memory, FILE *terminal)
{
	term_alias.memory = memory;
	term_alias.terminal = terminal;
}

void
term_init(struct term *t, FILE *out)
{
	const int fd = fileno(out == term_alias.memory ? term_alias.terminal :
	    out);
	const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	t->out = out;
	t->colour = false;
	t->width = 0;
	if (!isatty(fd))
		return;
	t->colour = (no == NULL || no[0] == '\0') && kind != NULL &&
	    strcmp(kind, "dumb") != 0;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0)
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

int
term_columns(const char *text)
{
	int columns = 0;

	while (*text != '\0') {
		struct utf8_char g = utf8_first(text);

		columns += g.columns;
		text += g.bytes;
	}
	return columns;
}

/* As many characters as fit, with what is drawn over the last.  Columns put. */
static int
put_columns(FILE *out, const char *text, int most)
{
	int columns = 0;

	while (*text != '\0') {
		struct utf8_char g = utf8_first(text);

		if (columns + g.columns > most)
			break;
		if (g.shown)
			fwrite(text, 1, g.bytes, out);
		else
			putc('?', out);
		columns += g.columns;
		text += g.bytes;
	}
	return columns;
}

/*
 * What is left behind that many columns or, where that is inside of a
 * character, one more.  What is drawn over the last of them goes with it.
 */
static const char *
skip_columns(const char *text, int least)
{
	int columns = 0;

	while (*text != '\0') {
		struct utf8_char g = utf8_first(text);

		if (columns >= least && g.columns != 0)
			break;
		columns += g.columns;
		text += g.bytes;
	}
	return text;
}

int
term_text(const struct term *t, const char *text, int width)
{
	int all = term_columns(text), head;

	if (width <= 0 || all <= width)
		return put_columns(t->out, text, all);
	/* The end of a long C++ name says more than its middle. */
	head = put_columns(t->out, text, (width - 3) / 2);
	fputs("...", t->out);
	width -= 3 + head;
	text = skip_columns(text, all - width);
	return head + 3 + put_columns(t->out, text, width);
}

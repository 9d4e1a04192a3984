/*
 * Context: O.  Prints text on a stream that may be a terminal, as wide and in
 * such colors as the terminal allows, for all that prints reports or messages;
 * see term.h.
 */
#include "base/term.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/*
 * least columns: narrower terminals are treated as this wide, as cut names
 * would be useless
 */
#define TERM_NARROW 40

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

/*
 * Prints as many characters as fit in `most` columns, with those that combine
 * with the last one.  Returns the number of columns printed.
 */
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
 * Returns what follows the first `least` columns of a text, or one column more
 * if that is inside a character.  Characters that combine with the last one
 * skipped are skipped, too.
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
	/* The end of a long C++ name tells more than its middle. */
	head = put_columns(t->out, text, (width - 3) / 2);
	fputs("...", t->out);
	width -= 3 + head;
	text = skip_columns(text, all - width);
	return head + 3 + put_columns(t->out, text, width);
}

void
term_date(FILE *out, uint64_t real)
{
	const time_t seconds = (time_t)(real / 1000000000u);
	char text[32];
	struct tm tm;

	if (localtime_r(&seconds, &tm) != NULL &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm) != 0)
		fputs(text, out);
}

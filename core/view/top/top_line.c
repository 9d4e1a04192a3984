/*
 * Context: O.  Prints one line of the screen of tprof top, for top_view.c and
 * top_header.c; see top_view.h.
 */
#include "base/term.h"
#include "top/top_view.h"

void
top_view_line(FILE *out, enum top_style style, const char *text, int columns)
{
	struct term t = { .out = out };

	putc(style, out);
	term_text(&t, text, columns);
	putc('\n', out);
}

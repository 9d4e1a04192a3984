/*
 * Context: O.  Breaks a text into lines for findings and explained names; see
 * wrapped_text.h.
 */
#include "base/wrapped_text.h"

#include <string.h>

/* bytes of a word that are measured: a longer one counts as these */
#define WRAPPED_WORD	256

/* Returns the columns of the first `bytes` bytes of a text. */
static int
word_columns(const char *text, size_t bytes)
{
	char word[WRAPPED_WORD];

	snprintf(word, sizeof(word), "%.*s", (int)bytes, text);
	return term_columns(word);
}

void
wrapped_text_print(const struct term *t, int column, int indent,
    const char *text)
{
	bool first = true;

	while (*text != '\0') {
		const size_t bytes = strcspn(text, " ");
		const int columns = word_columns(text, bytes);

		if (!first && t->width != 0 &&
		    column + 1 + columns > t->width) {
			fprintf(t->out, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			putc(' ', t->out);
			column++;
		}
		fwrite(text, 1, bytes, t->out);
		column += columns;
		first = false;
		text += bytes + strspn(text + bytes, " ");
	}
	putc('\n', t->out);
}

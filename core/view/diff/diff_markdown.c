/*
 * Context: O.  Prints a comparison as Markdown, for prof --diff with
 * --markdown; see diff.h.
 */
#include "diff/diff.h"

#include <ctype.h>
#include <stdlib.h>

/*
 * Prints a text as code in a cell of a table.  A bar would end the cell and a
 * backtick the code.
 */
static void
put_code(FILE *out, const char *text)
{
	fputs(" `", out);
	for (; *text != '\0'; text++) {
		if (*text == '|')
			putc('\\', out);
		putc(*text == '`' ? '\'' : iscntrl((unsigned char)*text) ?
		    '?' : *text, out);
	}
	fputs("` |", out);
}

/* Prints a text of a line, by its column; without memory, whole. */
static void
put_text(FILE *out, const struct diff *d, size_t column, const char *text)
{
	char *fit = NULL;
	size_t bytes;
	struct term t = { .out = open_memstream(&fit, &bytes) };

	if (t.out != NULL) {
		diff_text_print(&t, d, column, text, 0);
		if (fclose(t.out) != 0)
			fit = NULL;
	}
	put_code(out, fit != NULL ? fit : text);
	free(fit);
}

static void
put_amount(FILE *out, const struct diff *d, double amount)
{
	putc(' ', out);
	quantity_put(out, &d->unit, 0, diff_whole(amount));
	fputs(" |", out);
}

static void
put_row(FILE *out, const struct diff *d, const struct diff_line *l)
{
	fputs("| ", out);
	quantity_put_change(out, &d->unit, 0, diff_whole(l->amount.before),
	    diff_whole(l->amount.now));
	fputs(" |", out);
	if (!d->exact && l->sampled)
		put_amount(out, d, l->amount.error);
	else if (!d->exact)
		fputs(" - |", out);
	put_amount(out, d, l->amount.before);
	put_amount(out, d, l->amount.now);
	if (!d->exact && l->sleep)
		fputs(" - |", out);
	else if (!d->exact)
		fprintf(out, " %+.1f |", diff_points(l));
	if (!d->exact)
		fprintf(out, " %s |", diff_verdict_word(l->verdict));
	fputs(l->sleep ? " asleep:" : "", out);
	for (size_t i = 0; i < d->column_count; i++)
		put_text(out, d, i, l->texts[i]);
	putc('\n', out);
}

static void
put_head(FILE *out, const struct diff *d)
{
	fprintf(out, "| Change |%s Before | Now |%s", d->exact ? "" :
	    " &plusmn; |", d->exact ? "" : " Points | Sure |");
	for (size_t i = 0; i < d->column_count; i++)
		fprintf(out, " %s |", diff_title(d, i));
	fprintf(out, "\n| ---: |%s ---: | ---: |%s", d->exact ? "" :
	    " ---: |", d->exact ? "" : " ---: | :---: |");
	for (size_t i = 0; i < d->column_count; i++)
		fputs(" --- |", out);
	putc('\n', out);
}

void
diff_markdown(FILE *out, const struct diff *d, const struct diff_options *o)
{
	struct diff_walk w = { 0 };
	const struct diff_line *l;

	put_head(out, d);
	while ((l = diff_walk_next(d, o, &w)) != NULL)
		put_row(out, d, l);
	putc('\n', out);
	diff_footer_print(out, d, o, &w, "- ", "`");
}

/* Context: O.  Prints a comparison for people, for prof --diff; see diff.h. */
#include "diff/diff.h"

#include "base/name_text.h"

#include <string.h>

/* Columns of the change of a share, in percentage points. */
#define POINTS_COLUMNS	7
/* Columns of the numbers of a line, without and with errors. */
#define EXACT_COLUMNS	27
#define NUMBER_COLUMNS	51
#define LEAST_COLUMNS	8	/* of a text on a terminal */

/* Columns of the texts of a line; 0: no limit. */
struct diff_widths {
	int text[DIFF_TEXTS];
};

int
diff_text_print(const struct term *t, const struct diff *d, size_t column,
    const char *text, int room)
{
	if (d->columns[column] != GROUP_FUNCTION || d->whole_names)
		return term_text(t, text, room);
	return name_text_fit(t, text, room > 0 && room < NAME_TEXT_MOST ? room :
	    NAME_TEXT_MOST);
}

static void
put_points(const struct term *t, const struct diff_line *l)
{
	if (l->sleep)
		fprintf(t->out, "%*s", POINTS_COLUMNS, "-");
	else
		fprintf(t->out, "%+*.1f", POINTS_COLUMNS, diff_points(l));
}

static void
put_diff_numbers(const struct term *t, const struct diff *d,
    const struct diff_line *l)
{
	FILE *out = t->out;
	const uint64_t before = diff_whole(l->amount.before);
	const uint64_t now = diff_whole(l->amount.now);

	quantity_put_change(out, &d->unit, 9, before, now);
	if (!d->exact)
		putc(' ', out);
	if (!d->exact && l->sampled)
		quantity_put(out, &d->unit, 8, diff_whole(l->amount.error));
	else if (!d->exact)
		fprintf(out, "%8s", "-");
	putc(' ', out);
	quantity_put(out, &d->unit, 8, before);
	putc(' ', out);
	quantity_put(out, &d->unit, 8, now);
	if (d->exact)
		return;
	put_points(t, l);
	fprintf(out, "  %-6s", diff_verdict_word(l->verdict));
}

/* Sets the widths to those of the longest texts that are shown. */
static void
measure_diff(struct diff_widths *w, const struct diff *d,
    const struct diff_options *o)
{
	struct diff_walk walk = { 0 };
	const struct diff_line *l;

	for (size_t i = 0; i < d->column_count; i++)
		w->text[i] = (int)strlen(diff_title(d, i));
	while ((l = diff_walk_next(d, o, &walk)) != NULL)
		for (size_t i = 0; i < d->column_count; i++)
			if (term_columns(l->texts[i]) > w->text[i])
				w->text[i] = term_columns(l->texts[i]);
}

/* Makes a line fit on a terminal: makes its widest text narrower. */
static void
fit_diff(struct diff_widths *w, const struct diff *d, int columns)
{
	int all = d->exact ? EXACT_COLUMNS : NUMBER_COLUMNS;

	for (size_t i = 0; i < d->column_count; i++)
		all += w->text[i] + 2;
	for (; all > columns; all--) {
		size_t widest = 0;

		for (size_t i = 1; i < d->column_count; i++)
			if (w->text[i] > w->text[widest])
				widest = i;
		if (w->text[widest] <= LEAST_COLUMNS)
			return;
		w->text[widest]--;
	}
}

/* Prints a text, padded if another one follows it on a terminal. */
static void
put_diff_text(const struct term *t, const struct diff *d,
    const struct diff_widths *w, size_t i, const char *text)
{
	int used;

	fputs("  ", t->out);
	used = diff_text_print(t, d, i, text, w->text[i]);
	if (i + 1 < d->column_count && used < w->text[i])
		fprintf(t->out, "%*s", w->text[i] - used, "");
}

static void
put_diff_line(const struct term *t, const struct diff *d,
    const struct diff_line *l, const struct diff_widths *w)
{
	const bool sure = !d->exact && l->verdict == DIFF_CHANGE;

	fputs(sure ? term_on(t, TERM_HOT) : "", t->out);
	put_diff_numbers(t, d, l);
	fputs(sure ? term_off(t) : "", t->out);
	for (size_t i = 0; i < d->column_count; i++)
		put_diff_text(t, d, w, i, l->texts[i]);
	putc('\n', t->out);
}

static void
put_diff_head(const struct term *t, const struct diff *d,
    const struct diff_widths *w)
{
	fprintf(t->out, "%s   Change%s   Before      Now%s", term_on(t,
	    TERM_HEAD), d->exact ? "" : "       +-", d->exact ? "" :
	    " Points  Sure  ");
	for (size_t i = 0; i < d->column_count; i++)
		put_diff_text(t, d, w, i, diff_title(d, i));
	fprintf(t->out, "%s\n", term_off(t));
}

void
diff_print(const struct term *t, const struct diff *d,
    const struct diff_options *o)
{
	struct diff_walk w = { 0 };
	const struct diff_line *l;
	struct diff_widths widths = { { 0 } };
	bool asleep = false;

	if (t->width != 0) {
		measure_diff(&widths, d, o);
		fit_diff(&widths, d, t->width);
	}
	put_diff_head(t, d, &widths);
	while ((l = diff_walk_next(d, o, &w)) != NULL) {
		if (l->sleep && !asleep)
			fputs("\nAsleep:\n", t->out);
		asleep = l->sleep;
		put_diff_line(t, d, l, &widths);
	}
	putc('\n', t->out);
	diff_footer_print(t->out, d, o, &w, "", "");
}

/*
 * Context: O.  Prints a comparison for programs, for prof --diff with --csv or
 * --json; see diff.h.
 */
#include "diff/diff.h"

/* Puts the fields of a line in the order of diff_data(). */
static void
put_diff_fields(struct data_table *s, const struct diff *d,
    const struct diff_line *l)
{
	const uint64_t before = diff_whole(l->amount.before);
	const uint64_t now = diff_whole(l->amount.now);

	for (size_t i = 0; i < d->column_count; i++)
		data_table_text(s, l->texts[i]);
	quantity_field(s, &d->unit, before);
	quantity_field(s, &d->unit, now);
	quantity_field_change(s, &d->unit, before, now);
	if (d->exact)
		return;
	if (l->sampled)
		quantity_field(s, &d->unit, diff_whole(l->amount.error));
	else
		data_table_text(s, NULL);
	if (l->sleep)
		data_table_text(s, NULL);
	else
		data_table_number(s, "%.4f", l->share.now - l->share.before);
	data_table_text(s, diff_verdict_word(l->verdict));
	if (d->unit.measure == METRIC_TIME)
		data_table_text(s, l->sleep ? "sleep" : "cpu");
}

void
diff_data(FILE *out, enum data_table_format form, const struct diff *d)
{
	static const char *const numbers[] = { "before_", "now_", "change_" };
	char room[4][QUANTITY_NAME_ROOM];
	struct data_table s;

	data_table_init(&s, out, form);
	for (size_t i = 0; i < d->column_count; i++)
		data_table_column(&s, group_by_name(d->columns[i]));
	for (size_t i = 0; i < 3; i++)
		data_table_column(&s, quantity_column(&d->unit, numbers[i],
		    room[i]));
	if (!d->exact) {
		data_table_column(&s, quantity_column(&d->unit, "error_",
		    room[3]));
		data_table_column(&s, "change_points");
		data_table_column(&s, "sure");
	}
	if (d->unit.measure == METRIC_TIME)
		data_table_column(&s, "mode");
	for (size_t i = 0; i < d->count; i++)
		put_diff_fields(&s, d, &d->lines[i]);
	data_table_end(&s);
}

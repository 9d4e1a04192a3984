/*
 * Context: O.  Prints a table for programs, as comma-separated values or JSON,
 * for views and commands; see data_table.h.
 */
#include "base/data_table.h"

#include "base/json.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

void
data_table_init(struct data_table *s, FILE *out, enum data_table_format form)
{
	memset(s, 0, sizeof(*s));
	s->out = out;
	s->form = form;
}

void
data_table_column(struct data_table *s, const char *name)
{
	assert(s->count < DATA_TABLE_COLUMNS);
	s->columns[s->count++] = name;
}

static void
begin_table(struct data_table *s)
{
	s->begun = true;
	if (s->form == DATA_TABLE_JSON) {
		putc('[', s->out);
		return;
	}
	for (size_t i = 0; i < s->count; i++)
		fprintf(s->out, "%s%s", i != 0 ? "," : "", s->columns[i]);
	putc('\n', s->out);
}

/*
 * Prints what comes before a field: the head of the table, the beginning of its
 * line, its name.
 */
static void
begin_table_field(struct data_table *s)
{
	const bool another = s->begun;

	if (!s->begun)
		begin_table(s);
	if (s->form == DATA_TABLE_JSON && s->at == 0)
		fputs(another ? ",\n{" : "\n{", s->out);
	if (s->at != 0)
		putc(',', s->out);
	if (s->form == DATA_TABLE_JSON)
		fprintf(s->out, "\"%s\":", s->columns[s->at]);
}

static void
end_table_field(struct data_table *s)
{
	if (++s->at < s->count)
		return;
	s->at = 0;
	putc(s->form == DATA_TABLE_JSON ? '}' : '\n', s->out);
}

/* Prints a text in quotes if it has a character that would end it. */
static void
put_csv_field(FILE *out, const char *text)
{
	if (text[strcspn(text, ",\"\r\n")] == '\0') {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

void
data_table_text(struct data_table *s, const char *text)
{
	begin_table_field(s);
	if (s->form == DATA_TABLE_CSV)
		put_csv_field(s->out, text != NULL ? text : "");
	else if (text != NULL)
		json_text(s->out, text);
	else
		fputs("null", s->out);
	end_table_field(s);
}

void
data_table_number(struct data_table *s, const char *format, ...)
{
	va_list args;

	begin_table_field(s);
	va_start(args, format);
	vfprintf(s->out, format, args);
	va_end(args);
	end_table_field(s);
}

void
data_table_end(struct data_table *s)
{
	if (!s->begun)
		begin_table(s);
	if (s->form == DATA_TABLE_JSON)
		fputs("\n]\n", s->out);
}

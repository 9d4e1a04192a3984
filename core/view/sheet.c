/* Context: O.  A table for programs: comma-separated values, or JSON. */
#include "sheet.h"

#include "json.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

void
sheet_init(struct sheet *s, FILE *out, enum sheet_form form)
{
	memset(s, 0, sizeof(*s));
	s->out = out;
	s->form = form;
}

void
sheet_column(struct sheet *s, const char *name)
{
	assert(s->count < SHEET_COLUMNS);
	s->columns[s->count++] = name;
}

static void
begin(struct sheet *s)
{
	s->begun = true;
	if (s->form == SHEET_JSON) {
		putc('[', s->out);
		return;
	}
	for (size_t i = 0; i < s->count; i++)
		fprintf(s->out, "%s%s", i != 0 ? "," : "", s->columns[i]);
	putc('\n', s->out);
}

static void
begin_field(struct sheet *s)
{
	const bool another = s->begun;

	if (!s->begun)
		begin(s);
	if (s->form == SHEET_JSON && s->at == 0)
		fputs(another ? ",\n{" : "\n{", s->out);
	if (s->at != 0)
		putc(',', s->out);
	if (s->form == SHEET_JSON)
		fprintf(s->out, "\"%s\":", s->columns[s->at]);
}

static void
end_field(struct sheet *s)
{
	if (++s->at < s->count)
		return;
	s->at = 0;
	putc(s->form == SHEET_JSON ? '}' : '\n', s->out);
}

static void
put_csv(FILE *out, const char *text)
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
sheet_text(struct sheet *s, const char *text)
{
	begin_field(s);
	if (s->form == SHEET_CSV)
		put_csv(s->out, text != NULL ? text : "");
	else if (text != NULL)
		json_text(s->out, text);
	else
		fputs("null", s->out);
	end_field(s);
}

void
sheet_number(struct sheet *s, const char *format, ...)
{
	va_list args;

	begin_field(s);
	va_start(args, format);
	vfprintf(s->out, format, args);
	va_end(args);
	end_field(s);
}

void
sheet_end(struct sheet *s)
{
	if (!s->begun)
		begin(s);
	if (s->form == SHEET_JSON)
		fputs("\n]\n", s->out);
}

/*
 * Context: O.  Finds and writes the source lines of code for a page, for
 * html_code.c; see html_code_source.h.
 */
#include "html/html_code_source.h"

#include "base/compare.h"
#include "base/json.h"
#include "base/vector.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE	400	/* bytes of a source line that are shown */
/* Lines without code that are shown before the first one with code */
#define ABOVE	2
/* Most lines without code that are shown between two with code */
#define BETWEEN	10

/*
 * Returns the number of a file, from 1 on; 0 if it is not known, or if memory
 * is out, which *ret says.
 */
static uint32_t
file_number(struct html_code_source *s, const char *file, int *ret)
{
	if (file == NULL)
		return 0;
	for (size_t i = s->file_count; i-- > 0;)
		if (s->files[i] == file || strcmp(s->files[i], file) == 0)
			return (uint32_t)i + 1;
	if (vector_grow(&s->files, s->file_count, &s->file_room,
	    sizeof(*s->files)) != 0) {
		*ret = -ENOMEM;
		return 0;
	}
	s->files[s->file_count++] = file;
	return (uint32_t)s->file_count;
}

static int
compare_spots(const void *left, const void *right)
{
	const struct html_code_spot *a = left, *b = right;
	const int d = compare_u64(a->file, b->file);

	return d != 0 ? d : compare_u64(a->line, b->line);
}

int
html_code_source_add(struct html_code_source *s, const char *file,
    uint32_t line, uint32_t *number)
{
	int ret = 0;

	*number = file_number(s, file, &ret);
	if (ret != 0 || vector_grow(&s->spots, s->spot_count, &s->spot_room,
	    sizeof(*s->spots)) != 0)
		return -ENOMEM;
	s->spots[s->spot_count++] = (struct html_code_spot) { *number, line };
	return 0;
}

int
html_code_source_find(struct html_code_source *s, const struct code *code)
{
	int ret = 0;

	s->file_count = s->spot_count = 0;
	for (size_t i = 0; i < code->count && ret == 0; i++) {
		const struct code_instruction *own = &code->all[i];
		uint32_t number;

		ret = html_code_source_add(s, own->file, own->line, &number);
	}
	return ret;
}

/*
 * Writes a source line, unless its text was not found.  *any: a line was
 * written before it.
 */
static void
put_line(struct html_code_source *s, FILE *out, bool *any, uint32_t file,
    uint32_t line)
{
	const char *text = source_text_line(&s->text, s->files[file - 1],
	    line);
	char room[LINE + 1];

	if (text == NULL)
		return;
	snprintf(room, sizeof(room), "%.*s", (int)strcspn(text, "\r"), text);
	fprintf(out, "%s[%" PRIu32 ",%" PRIu32 ",", *any ? ",\n" : "\n",
	    file, line);
	json_text(out, room);
	putc(']', out);
	*any = true;
}

/*
 * Writes the source: lines with code and a few between them, by file.  Spots
 * are in that order.
 */
static void
put_source(struct html_code_source *s, FILE *out)
{
	struct html_code_spot before = { 0, 0 };
	bool any = false;

	fputs(",\n\"source\":[", out);
	for (size_t i = 0; i < s->spot_count; i++) {
		const struct html_code_spot own = s->spots[i];
		const bool near = own.file == before.file &&
		    own.line - before.line <= BETWEEN;
		uint32_t from = near ? before.line + 1 :
		    own.line > ABOVE ? own.line - ABOVE : 1;

		if (own.file == 0 || own.line == 0)
			continue;
		for (; from <= own.line && from != 0; from++)
			put_line(s, out, &any, own.file, from);
		before = own;
	}
	fputs("]", out);
}

void
html_code_source_put(struct html_code_source *s, FILE *out)
{
	fputs(",\n\"files\":[", out);
	for (size_t i = 0; i < s->file_count; i++) {
		fputs(i != 0 ? "," : "", out);
		json_text(out, s->files[i]);
	}
	putc(']', out);
	if (s->spot_count > 1)
		qsort(s->spots, s->spot_count, sizeof(*s->spots),
		    compare_spots);
	put_source(s, out);
}

void
html_code_source_free(struct html_code_source *s)
{
	free(s->files);
	free(s->spots);
	source_text_free(&s->text);
}

/*
 * Context: O.  Prints the lines and instructions of one function, for
 * annotate.c; see annotate_lines.h.
 */
#include "table/annotate_lines.h"

#include "base/compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HOT	10	/* percent of the function's time that is highlighted */
#define TAB	8	/* columns */
#define NARROW_TAB	4	/* on a terminal below WIDE columns */
#define WIDE	120
#define CONTEXT	2	/* lines or instructions around those with time */
#define PLACE_ROOM	280	/* bytes of a place: a name of a file, a line */
#define NUMBER	7	/* columns of a line number with a blank */
#define NARROWEST	24	/* least columns of source on a terminal */
/* percent of all time below which an instruction is left out */
#define LEAST	0.05

/* A range of lines of one file that are shown together. */
struct part {
	size_t first, end;	/* range of the times of the function */
	uint64_t self_ns, total_ns;	/* of its hottest line */
};

static double
code_percent(const struct annotation *v, uint64_t ns)
{
	return v->times->all_ns == 0 ? 0 : (double)ns * 100 /
	    (double)v->times->all_ns;
}

/* Returns the columns that the numbers of a line take. */
static int
number_columns(const struct annotation *v)
{
	return 8 + (v->totals ? 9 : 0) + 2 + QUANTITY_COLUMNS;
}

void
annotate_lines_head(const struct annotation *v)
{
	fprintf(v->term->out, "%s  Self %%%s  %*s%*s  Source\n%s",
	    term_on(v->term, TERM_HEAD), v->totals ? "  Total %" : "",
	    QUANTITY_COLUMNS, v->unit.measure == METRIC_TIME ? "Self s" :
	    quantity_head(&v->unit), NUMBER, "Line", term_off(v->term));
}

/* Prints the numbers of a line or instruction; blanks if t is NULL. */
static void
put_code_numbers(const struct annotation *v, const struct code_time *t)
{
	FILE *out = v->term->out;
	const bool hot = t != NULL && (double)t->total_ns * 100 >=
	    HOT * (double)v->function_ns;

	if (t == NULL || (t->self_ns == 0 && t->total_ns == 0)) {
		fprintf(out, "%*s", number_columns(v), "");
		return;
	}
	fputs(hot ? term_on(v->term, TERM_HOT) : "", out);
	fprintf(out, "%8.1f", code_percent(v, t->self_ns));
	if (v->totals)
		fprintf(out, "%9.1f", code_percent(v, t->total_ns));
	fputs("  ", out);
	quantity_put(out, &v->unit, QUANTITY_COLUMNS, t->self_ns);
	fputs(hot ? term_off(v->term) : "", out);
}

/* Returns the columns that are left for text; 0 = no limit. */
static int
text_columns(const struct annotation *v, int used)
{
	return v->term->width == 0 ? 0 : v->term->width - used < NARROWEST ?
	    NARROWEST : v->term->width - used;
}

/*
 * Prints a source line with tabs expanded as in an editor, so that indentation
 * is kept.
 */
static void
put_expanded_tabs(const struct annotation *v, const char *text)
{
	const size_t tab = v->term->width != 0 && v->term->width < WIDE ?
	    NARROW_TAB : TAB;
	char room[512];
	size_t used = 0;

	for (; *text != '\0' && *text != '\r' && used < sizeof(room) - TAB - 1;
	    text++)
		if (*text == '\t')
			do
				room[used++] = ' ';
			while (used % tab != 0);
		else
			room[used++] = *text;
	room[used] = '\0';
	term_text(v->term, room, text_columns(v, number_columns(v) + NUMBER +
	    2));
}

static const char *
source_line(struct annotation *v, uint32_t file, uint32_t line)
{
	return source_text_line(&v->source, v->model->sources.paths.all[file],
	    line);
}

/* Prints a line of source; t: its time, or NULL. */
static void
put_source_line(struct annotation *v, uint32_t file, uint32_t line,
    const struct code_time *t)
{
	const char *text = source_line(v, file, line);
	FILE *out = v->term->out;

	put_code_numbers(v, t);
	fprintf(out, "%s%*" PRIu32 "  ", t == NULL ? term_on(v->term,
	    TERM_DIM) : "", NUMBER, line);
	if (text != NULL) {
		put_expanded_tabs(v, text);
	} else {
		putc('[', out);
		term_text(v->term, v->model->sources.shown[file], 0);
		putc(']', out);
	}
	fprintf(out, "%s\n", t == NULL ? term_off(v->term) : "");
}

static void
put_left_out(const struct annotation *v)
{
	fprintf(v->term->out, "%s%*s%s\n", term_on(v->term, TERM_DIM),
	    number_columns(v) + NUMBER, "...", term_off(v->term));
}

/*
 * Prints the line of the innermost function that is inlined at an instruction,
 * if that is another one than `file` and `line` and there is room for it.
 */
static void
put_inner_line(const struct annotation *v, const struct code_time *t,
    uint32_t file, uint32_t line, int room)
{
	char place[PLACE_ROOM];

	if (t == NULL || t->inner_file == MODEL_NONE || (t->inner_file == file
	    && t->inner_line == line))
		return;
	snprintf(place, sizeof(place), "  (%s:%" PRIu32 ")",
	    v->model->sources.shown[t->inner_file], t->inner_line);
	if (term_columns(place) > room)
		return;
	fputs(term_on(v->term, TERM_DIM), v->term->out);
	term_text(v->term, place, 0);
	fputs(term_off(v->term), v->term->out);
}

/*
 * Prints an instruction of the line `file` and `line`, and behind it the line
 * of what is inlined there.
 */
static void
put_instruction(const struct annotation *v, const struct code_instruction *i,
    const struct code_time *t, uint32_t file, uint32_t line)
{
	FILE *out = v->term->out;
	const int room = text_columns(v, number_columns(v) + NUMBER + 12);
	int used;

	put_code_numbers(v, t);
	fprintf(out, "%s%*s%8" PRIx64 "  ", t == NULL ? term_on(v->term,
	    TERM_DIM) : "", NUMBER + 2, "", i->address);
	used = term_text(v->term, i->text, room);
	put_inner_line(v, t, file, line, room == 0 ? PLACE_ROOM : room - used);
	fprintf(out, "%s\n", t == NULL ? term_off(v->term) : "");
}

/* Prints the instructions of a source line that have time. */
static void
put_line_instructions(const struct annotation *v, const struct code_time *of)
{
	size_t small = 0;

	for (size_t i = 0; i < v->code->count; i++) {
		const struct code_time *t = &v->costs[i];

		if (t->total_ns == 0 || t->file != of->file ||
		    t->line != of->line)
			continue;
		if (code_percent(v, t->total_ns) < LEAST)
			small++;
		else
			put_instruction(v, &v->code->all[i], t, t->file,
			    t->line);
	}
	if (small != 0)
		fprintf(v->term->out, "%s%*s  %zu with less%s\n",
		    term_on(v->term, TERM_DIM), number_columns(v) + NUMBER +
		    10, "...", small, term_off(v->term));
}

/* Prints a part, with a few lines around those that have time. */
static void
put_part(struct annotation *v, const struct code_time *lines,
    const struct part *p)
{
	const uint32_t file = lines[p->first].file;
	const uint32_t low = lines[p->first].line;
	const uint32_t high = lines[p->end - 1].line;
	const bool text = source_line(v, file, low) != NULL;
	size_t next = p->first;
	uint32_t n = low > CONTEXT ? low - CONTEXT : 1;

	for (n = text ? n : low; n <= high + (text ? CONTEXT : 0); n++) {
		if (next < p->end && lines[next].line == n) {
			put_source_line(v, file, n, &lines[next]);
			put_line_instructions(v, &lines[next++]);
		} else if (text && source_line(v, file, n) != NULL) {
			put_source_line(v, file, n, NULL);
		}
	}
}

static int
compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	int d = compare_u64(b->self_ns, a->self_ns);

	if (d == 0)
		d = compare_u64(b->total_ns, a->total_ns);
	return d != 0 ? d : compare_u64(a->first, b->first);
}

/*
 * Splits the lines where more of the source is left out than is shown around
 * them.  Returns the number of parts.
 */
static size_t
split_parts(const struct annotation *v, const struct code_time *lines,
    size_t count, struct part *parts)
{
	size_t n = 0;

	for (size_t i = 0; i < count && lines[i].file != MODEL_NONE; i++) {
		const bool near = n != 0 && lines[i].file ==
		    lines[i - 1].file && (v->all || lines[i].line -
		    lines[i - 1].line <= 2 * CONTEXT + 1);

		if (!near)
			parts[n++] = (struct part) { .first = i };
		parts[n - 1].end = i + 1;
		if (lines[i].self_ns > parts[n - 1].self_ns)
			parts[n - 1].self_ns = lines[i].self_ns;
		if (lines[i].total_ns > parts[n - 1].total_ns)
			parts[n - 1].total_ns = lines[i].total_ns;
	}
	if (n > 1)
		qsort(parts, n, sizeof(*parts), compare_parts);
	return n;
}

/* Prints the time that no line is known for, which has the last entry. */
static void
put_unknown_line(struct annotation *v, const struct code_time *t)
{
	put_code_numbers(v, t);
	fprintf(v->term->out, "%*s  [line not known]\n", NUMBER, "");
	put_line_instructions(v, t);
}

int
annotate_lines_by_source(struct annotation *v)
{
	size_t count, n, first = code_times_find(v->times, v->function,
	    CODE_TIME_LINE, &count);
	const struct code_time *lines = v->times->all + first;
	struct part *parts = calloc(count + 1, sizeof(*parts));

	if (parts == NULL)
		return -ENOMEM;
	n = split_parts(v, lines, count, parts);
	for (size_t i = 0; i < n; i++) {
		const uint32_t file = lines[parts[i].first].file;

		if (i != 0 && file == lines[parts[i - 1].first].file) {
			put_left_out(v);
		} else {
			term_text(v->term, v->model->sources.paths.all[file],
			    0);
			putc('\n', v->term->out);
		}
		put_part(v, lines, &parts[i]);
	}
	free(parts);
	if (count != 0 && lines[count - 1].file == MODEL_NONE)
		put_unknown_line(v, &lines[count - 1]);
	return 0;
}

bool
annotate_lines_known(const struct annotation *v)
{
	size_t count, first = code_times_find(v->times, v->function,
	    CODE_TIME_LINE, &count);

	return count != 0 && v->times->all[first].file != MODEL_NONE;
}

/* Returns whether an instruction is shown in the order of addresses. */
static bool
is_near_time(const struct annotation *v, size_t i)
{
	size_t at = i < CONTEXT ? 0 : i - CONTEXT;

	if (v->all || !v->code->disassembled)
		return v->all || v->costs[i].total_ns != 0;
	while (at < v->code->count && at <= i + CONTEXT &&
	    v->costs[at].total_ns == 0)
		at++;
	return at < v->code->count && at <= i + CONTEXT;
}

/* Prints the line of source above an instruction, where another one begins. */
static void
put_line_above(struct annotation *v, size_t i)
{
	const struct code_instruction *own = &v->code->all[i];
	const struct code_instruction *before = i == 0 ? NULL : own - 1;
	const char *text = own->file == NULL ? NULL :
	    source_text_line(&v->source, own->file, own->line);
	const char *slash = own->file == NULL ? NULL : strrchr(own->file, '/');

	if (own->file == NULL || (before != NULL && before->line == own->line &&
	    before->file != NULL && strcmp(before->file, own->file) == 0))
		return;
	fprintf(v->term->out, "%*s%s%*" PRIu32 "  ", number_columns(v), "",
	    term_on(v->term, TERM_DIM), NUMBER, own->line);
	if (text != NULL) {
		put_expanded_tabs(v, text);
	} else {
		putc('[', v->term->out);
		term_text(v->term, slash != NULL ? slash + 1 : own->file, 0);
		putc(']', v->term->out);
	}
	fprintf(v->term->out, "%s\n", term_off(v->term));
}

void
annotate_lines_by_address(struct annotation *v)
{
	const struct code *c = v->code;
	bool left = false;

	for (size_t i = 0; i < c->count; i++) {
		if (!is_near_time(v, i)) {
			left = true;
			continue;
		}
		if (left)
			put_left_out(v);
		left = false;
		if (v->all)
			put_line_above(v, i);
		put_instruction(v, &c->all[i], v->costs[i].total_ns != 0 ?
		    &v->costs[i] : NULL, MODEL_NONE, 0);
	}
	if (left)
		put_left_out(v);
}

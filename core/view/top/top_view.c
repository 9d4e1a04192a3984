/*
 * Context: O.  Draws the screen of tprof top as lines of text, for
 * cmd/top/tprof_top.c; see top_view.h.
 */
#include "top/top_view.h"

#include "base/name_text.h"
#include "base/term.h"

#include <inttypes.h>
#include <string.h>

#define BEFORE_NAME	17	/* columns of rate and samples */
/* least columns of names; if there are fewer, processors are not shown */
#define NAME_LEAST	34
/* most columns of names where nothing limits a line */
#define NAME_MOST	72
#define CPU_WIDTH	7
#define STEP		2	/* columns by which a branch is indented */
#define STEPS_MOST	20

/* Layout of one table. */
struct top_sheet {
	struct term term;
	const struct top_input *in;
	const struct top_state *s;
	const struct top_table *t;
	int columns;
	int name;		/* columns of names */
	size_t cpus;		/* 0 = there is no room for processors */
};

void
top_view_plain(FILE *out, const char *text)
{
	for (; *text != '\0'; text++)
		if (*text >= TOP_STYLES || *text < TOP_PLAIN)
			putc(*text, out);
}

static const char *
shown_line_name(const struct top_line *l)
{
	return l->name != NULL ? l->name : l->own;
}

/* Returns whether the module is shown: not if the name is the same. */
static bool
shows_module(const struct top_line *l)
{
	return l->module[0] != '\0' && strcmp(l->module,
	    shown_line_name(l)) != 0;
}

/* Returns the columns by which a line is indented. */
static int
line_indent(const struct top_line *l)
{
	return STEP * (int)(l->depth < STEPS_MOST ? l->depth : STEPS_MOST);
}

static int
name_width(const struct top_table *t)
{
	int most = NAME_LEAST;

	for (size_t i = 0; i < t->count; i++) {
		const struct top_line *l = &t->lines[i];
		const int own = line_indent(l) +
		    term_columns(shown_line_name(l)) + (shows_module(l) ?
		    term_columns(l->module) + 3 : 0);

		if (own > most)
			most = own;
	}
	return most < NAME_MOST ? most : NAME_MOST;
}

/* Chooses the width of names, and whether processors have room. */
static void
init_top_sheet(struct top_sheet *sh, int columns)
{
	const int cpus = (int)sh->in->cpu_count * CPU_WIDTH;

	sh->columns = columns;
	sh->cpus = sh->s->callers_of == HASH_INDEX_NONE ? sh->in->cpu_count : 0;
	if (columns == 0) {
		sh->name = name_width(sh->t);
		return;
	}
	sh->name = columns - BEFORE_NAME;
	if (sh->name - cpus < NAME_LEAST)
		sh->cpus = 0;
	if (sh->cpus != 0)
		sh->name -= cpus;
	if (sh->name < 1)
		sh->name = 1;
}

/*
 * Prints a text in the column of names, with blanks after it if another column
 * follows.
 */
static void
put_padded_name(const struct top_sheet *sh, const char *text)
{
	const int used = term_text(&sh->term, text, sh->name);

	if (sh->cpus != 0)
		fprintf(sh->term.out, "%*s", sh->name - used, "");
}

/*
 * Prints the titles of the columns; the first name says of what the lines are.
 */
static void
put_table_header(const struct top_sheet *sh)
{
	static const char *const names[] = { "Function", "Process", "Thread" };
	const struct top_state *s = sh->s;
	FILE *out = sh->term.out;
	char text[64];

	snprintf(text, sizeof(text), "%s", s->callers_of != HASH_INDEX_NONE ?
	    "Called from" : s->only_process != HASH_INDEX_NONE ? "Function" :
	    names[s->by]);
	fprintf(out, "%c%6s %8s  ", TOP_HEADER, s->callers_of !=
	    HASH_INDEX_NONE ? "Share" : "Rate", "Sample#");
	put_padded_name(sh, text);
	for (size_t i = 0; i < sh->cpus; i++) {
		snprintf(text, sizeof(text), "CPU%u", sh->in->cpus[i]);
		fprintf(out, "%*s", CPU_WIDTH, text);
	}
	putc('\n', out);
}

/* Prints the counts of each processor, less those of `less` unless NULL. */
static void
put_cpus(const struct top_sheet *sh, const uint64_t *counts,
    const uint64_t *less)
{
	for (size_t i = 0; i < sh->cpus; i++) {
		const uint64_t own = counts[i] - (less == NULL ? 0 : less[i]);

		if (own == 0)
			fprintf(sh->term.out, "%*s", CPU_WIDTH, ".");
		else
			fprintf(sh->term.out, "%*" PRIu64, CPU_WIDTH, own);
	}
}

static void
put_line_numbers(const struct top_sheet *sh, const struct aggregate_value *v,
    uint64_t all)
{
	FILE *out = sh->term.out;

	if (v->weight == 0 || all == 0)
		fprintf(out, "%6s ", ".");
	else
		fprintf(out, "%6.2f ", 100.0 * (double)v->weight /
		    (double)all);
	/* CPU time without samples has a weight but no samples. */
	if (v->count == 0)
		fprintf(out, "%8s  ", ".");
	else
		fprintf(out, "%8" PRIu64 "  ", v->count);
}

/*
 * Prints name and module.  The middle of a long name is dropped before the
 * module is.
 */
static void
put_top_name(const struct top_sheet *sh, const struct top_line *l,
    bool selected)
{
	FILE *out = sh->term.out;
	const int indent = line_indent(l), all = sh->name - indent;
	const int module = shows_module(l) ? term_columns(l->module) + 3 : 0;
	int used, room = all - module;

	fprintf(out, "%*s", indent, "");
	if (l->kernel && !selected)
		putc(TOP_KERNEL, out);
	if (module == 0 || room < 8)
		room = all;
	used = indent + name_text_fit(&sh->term, shown_line_name(l), room < 1 ?
	    1 : room);
	if (!selected)
		putc(TOP_PLAIN, out);
	if (module != 0 && sh->name - used >= module) {
		if (!selected)
			putc(TOP_DIM, out);
		fputs(" (", out);
		used += 3 + term_text(&sh->term, l->module, 0);
		putc(')', out);
		if (!selected)
			putc(TOP_PLAIN, out);
	}
	if (sh->cpus != 0)
		fprintf(out, "%*s", used < sh->name ? sh->name - used : 0, "");
}

static void
put_table_line(const struct top_sheet *sh, size_t n)
{
	const struct top_line *l = &sh->t->lines[n];
	const bool selected = sh->columns != 0 && n == sh->s->selected;
	FILE *out = sh->term.out;

	putc(selected ? TOP_SELECTED : TOP_PLAIN, out);
	if (l->plain)
		fprintf(out, "%*s", BEFORE_NAME, "");
	else
		put_line_numbers(sh, &l->value, sh->t->shown.weight);
	put_top_name(sh, l, selected);
	if (sh->cpus != 0)
		put_cpus(sh, sh->t->cpus + n * sh->in->cpu_count, NULL);
	putc('\n', out);
}

static void
put_total_line(const struct top_sheet *sh, const char *name,
    const struct aggregate_value *v, const uint64_t *cpus, const uint64_t *less)
{
	FILE *out = sh->term.out;

	putc(TOP_BOLD, out);
	put_line_numbers(sh, v, sh->t->all.weight);
	put_padded_name(sh, name);
	put_cpus(sh, cpus, less);
	putc('\n', out);
}

static void
put_totals(const struct top_sheet *sh)
{
	const struct top_table *t = sh->t;
	const struct aggregate_value user = {
		t->all.count - t->kernel.count,
		t->all.weight - t->kernel.weight,
	};

	put_total_line(sh, "in-kernel", &t->kernel, t->kernel_cpus, NULL);
	put_total_line(sh, "userland", &user, t->all_cpus, t->kernel_cpus);
}

/*
 * Prints the help line for keys: the most important keys first, as many as
 * there is room for.
 */
static void
put_key_help(const struct top_sheet *sh)
{
	const struct top_state *s = sh->s;
	const bool callers = s->callers_of != HASH_INDEX_NONE;
	const bool back = callers || s->only_process != HASH_INDEX_NONE;
	const char *const keys[] = {
		" q quit", "  h help", back ? "  Esc back" : "",
		callers ? "" : s->by == TOP_FUNCTIONS || back ?
		    "  Enter callers" : "  Enter functions",
		s->accumulate ? "  a last" : "  a all",
		s->frozen ? "  f go on" : "  f freeze", "  s sort",
		"  1 2 3 views", sh->in->event_count > 1 ? "  e event" : "",
		"  z clear", s->merge_users ? "  u functions" : "  u users",
		s->counters ? "" : "  c counters",
	};
	size_t left = (size_t)sh->columns;

	putc(TOP_DIM, sh->term.out);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) &&
	    strlen(keys[i]) <= left; i++) {
		fputs(keys[i], sh->term.out);
		left -= strlen(keys[i]);
	}
	putc('\n', sh->term.out);
}

size_t
top_view_lines(const struct top_input *in, const struct top_state *s, int rows)
{
	const size_t beside = top_header_lines(in, s) + 4;

	return rows > 0 && (size_t)rows > beside ? (size_t)rows - beside : 1;
}

void
top_view_put(FILE *out, const struct top_input *in, const struct top_state *s,
    const struct top_table *t, int columns, int rows)
{
	struct top_sheet sh = { .term = { .out = out }, .in = in, .s = s, .t =
	    t };
	const size_t room = rows == 0 ? t->count :
	    top_view_lines(in, s, rows);
	size_t put = 0;

	init_top_sheet(&sh, columns);
	top_header_put(out, in, s, columns);
	if (s->help) {
		top_header_help(out, columns);
		return;
	}
	put_table_header(&sh);
	for (size_t i = s->first; i < t->count && put < room; i++, put++)
		put_table_line(&sh, i);
	for (; rows != 0 && put < room; put++)
		top_view_line(out, TOP_PLAIN, "", columns);
	put_totals(&sh);
	if (rows != 0)
		put_key_help(&sh);
}

/*
 * Context: O.  Puts into a page what it is of, for export_html.c; see
 * html_head.h.
 */
#define _GNU_SOURCE		/* strsep */
#include "html/html_head.h"

#include "base/json.h"
#include "findings/findings.h"
#include "heap/heap_footer.h"
#include "heap/heap_summary.h"
#include "report/footer.h"
#include "report/report_head.h"
#include "report/tprof_footer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HTML_HEAD_PROGRAMS	4	/* most programs in a title */
#define HTML_HEAD_LEAST	1.0	/* percent that a line of a summary has */

/* Returns what was counted; main.js and data.js know these words. */
static const char *
head_subject(const struct model *m)
{
	if (model_is_heap(m))
		return "allocations";
	return m->filter->asleep ? "time asleep" : "CPU time";
}

int
html_head_title(FILE *out, const struct model *m)
{
	struct string_pool programs = { 0 };
	char *title = NULL;
	size_t bytes;
	FILE *to = open_memstream(&title, &bytes);
	bool good = to != NULL;

	if (!good)
		return -ENOMEM;
	for (size_t i = 0; i < m->process_count; i++)
		good &= string_pool_add(&programs, m->processes[i].program) !=
		    UINT32_MAX;
	for (size_t i = 0; i < programs.count && i < HTML_HEAD_PROGRAMS; i++)
		fprintf(to, "%s%s", i != 0 ? ", " : "", programs.all[i]);
	if (programs.count > HTML_HEAD_PROGRAMS)
		fprintf(to, " and %zu more programs",
		    programs.count - HTML_HEAD_PROGRAMS);
	fprintf(to, "%s%s", programs.count != 0 ? ": " : "", head_subject(m));
	string_pool_free(&programs);
	good &= fclose(to) == 0;
	if (good) {
		fputs("\"title\":", out);
		json_text(out, title);
		fprintf(out, ",\n\"subject\":\"%s\",\n", head_subject(m));
	}
	free(title);
	return good ? 0 : -ENOMEM;
}

/* Returns whether report_head_print() begins with a command. */
static bool
has_command(const struct model *m)
{
	for (size_t i = 0; i < m->process_count; i++)
		if (!m->processes[i].foreign)
			return true;
	return tprof_footer_has_command(m);
}

/* Writes the lines of a text, which this changes, as a list. */
static void
put_lines(FILE *out, const char *name, char *text)
{
	const char *between = "";
	char *line;

	fprintf(out, "\"%s\":[", name);
	while ((line = strsep(&text, "\n")) != NULL) {
		if (*line == '\0')
			continue;
		fputs(between, out);
		json_text(out, line);
		between = ",";
	}
	fputs("],\n", out);
}

/* Writes the lines of the head, whose text this changes. */
static void
put_head_lines(FILE *out, const struct model *m, char *text)
{
	char *rest = text;

	fputs("\"command\":", out);
	if (has_command(m))
		json_text(out, strsep(&rest, "\n"));
	else
		fputs("null", out);
	fputs(",\n", out);
	put_lines(out, "head", rest);
}

/* Prints the footer of the report, in full. */
static void
print_foot(const struct term *t, struct model *m, const struct group *g)
{
	if (!model_is_heap(m)) {
		footer_print(t, m, g, true);
		return;
	}
	heap_footer_print(t, m, g, true);
	footer_losses(t->out, m);
}

/*
 * Prints what stands out: of allocations the summary, which changes the metric
 * and the stacks.
 */
static void
print_findings(const struct term *t, struct model *m, const struct group *g)
{
	const struct heap_summary_options largest = {
		.least = HTML_HEAD_LEAST,
	};

	/* Without memory the page has none of them. */
	if (model_is_heap(m))
		heap_summary_print(t, m, &largest);
	else
		findings_print(t, m, g->total_ns, true);
}

/*
 * Returns what print() prints to a term without colors or width, malloced;
 * NULL: no memory.
 */
static char *
text_of(struct model *m, const struct group *g,
    void (*print)(const struct term *t, struct model *m,
    const struct group *g))
{
	struct term term = { 0 };
	char *text = NULL;
	size_t bytes;

	term.out = open_memstream(&text, &bytes);
	if (term.out == NULL)
		return NULL;
	print(&term, m, g);
	if (fclose(term.out) == 0)
		return text;
	free(text);
	return NULL;
}

int
html_head_put(FILE *out, struct model *m)
{
	const struct group_options all = {
		.by = 1u << GROUP_FUNCTION, .callers = true,
	};
	struct group g;
	char *head = NULL, *foot = NULL, *findings = NULL;
	int ret = group_make(&g, m, &all);

	if (ret == 0)
		head = text_of(m, &g, report_head_print);
	if (head != NULL)
		foot = text_of(m, &g, print_foot);
	if (foot != NULL)
		findings = text_of(m, &g, print_findings);
	group_free(&g);
	if (findings != NULL) {
		put_head_lines(out, m, head);
		put_lines(out, "findings", findings);
		fputs("\"footer\":", out);
		json_text(out, foot + strspn(foot, "\n"));
	}
	ret = findings == NULL ? -ENOMEM : 0;
	free(head);
	free(foot);
	free(findings);
	return ret;
}

/*
 * Context: O.  Collects findings and prints them, below prof's first screen and
 * on the HTML page; see findings.h.
 */
#include "findings/findings.h"

#include "findings/finding_kinds.h"
#include "base/wrapped_text.h"

#include <stdlib.h>

#define FINDINGS_SHOWN	3	/* lines without --explain */
#define FINDINGS_INDENT	16	/* columns before a text */

/* Sorts descending by time. */
static int
compare_findings(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;

	return a->sum.ns > b->sum.ns ? -1 : a->sum.ns < b->sum.ns;
}

/* Returns whether the samples count time, not another event. */
static bool
counts_time(const struct model *m)
{
	for (size_t i = 0; i < m->import_count; i++)
		if (m->imports[i].unit != NULL && !m->imports[i].timed)
			return false;
	for (size_t i = 0; i < m->sampling_count; i++)
		if (!m->samplings[i].timed)
			return false;
	return !model_has_signs(m);
}

/* Fills the list, the longest time first. */
static int
collect_findings(struct finding_list *l)
{
	static int (*const add[])(struct finding_list *) = {
		finding_add_program, finding_add_allocations,
		finding_add_kernel, finding_add_locks, finding_add_generated,
		finding_add_python, finding_add_symbols, finding_add_cuts,
		finding_add_profiler,
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(add) / sizeof(add[0]) && ret == 0; i++)
		ret = add[i](l);
	qsort(l->all, l->count, sizeof(l->all[0]), compare_findings);
	return ret;
}

static void
print_indented(const struct term *t, const char *text)
{
	wrapped_text_print(t, FINDINGS_INDENT, FINDINGS_INDENT, text);
}

static void
print_finding(const struct term *t, const struct finding *f, bool explain)
{
	if (f->asleep)
		fprintf(t->out, "%8.3f s      ", (double)f->sum.ns / 1e9);
	else if (f->error > 0)
		fprintf(t->out, "%6.1f %% +-%-4.1f ", f->percent, f->error);
	else
		fprintf(t->out, "%6.1f %%        ", f->percent);
	print_indented(t, f->what);
	if (!explain)
		return;
	fprintf(t->out, "%s%*s", term_on(t, TERM_DIM), FINDINGS_INDENT, "");
	print_indented(t, f->remedy);
	fputs(term_off(t), t->out);
}

static void
print_findings(const struct term *t, const struct finding_list *l,
    bool searched, bool explain)
{
	if (!searched && explain)
		fputs("\nFindings: none, as they are made from CPU time and "
		    "there is none here\n", t->out);
	else if (l->count == 0 && explain)
		fprintf(t->out, "\nFindings: none above %.0f %% of the time\n",
		    FINDING_LEAST);
	if (l->count == 0)
		return;
	fprintf(t->out, "\n%sFindings%s%s\n", term_on(t, TERM_HEAD),
	    explain ? ":" : " (--explain: all, and what to do):", term_off(t));
	for (size_t i = 0; i < l->count && (explain || i < FINDINGS_SHOWN); i++)
		print_finding(t, &l->all[i], explain);
}

int
findings_print(const struct term *t, struct model *m, uint64_t total_ns,
    bool explain)
{
	struct finding_list l = { .model = m, .total_ns = total_ns };
	const bool searched = total_ns != 0 && counts_time(m);
	int ret = searched ? collect_findings(&l) : 0;

	if (ret == 0)
		print_findings(t, &l, searched, explain);
	finding_list_free(&l);
	return ret;
}

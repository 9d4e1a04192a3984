/*
 * Context: O.  Prints the sentences below a table of differences, for
 * diff_print() and diff_markdown(); see diff.h.
 */
#include "diff/diff.h"

#include "base/plural.h"

/* Prints the totals of both sides, and their difference. */
static void
put_total(FILE *out, const struct diff *d)
{
	const struct diff_change *c = &d->total;
	const bool time = d->unit.measure == METRIC_TIME;
	const char *unit = time ? " s" : "";
	const uint64_t before = diff_whole(c->before), now = diff_whole(c->now);

	fprintf(out, "%s%s: ", time ? "CPU time" :
	    metric_description(d->unit.measure),
	    d->runs[DIFF_BEFORE] + d->runs[DIFF_NOW] > DIFF_SIDES ?
	    ", means of runs" : "");
	quantity_put(out, &d->unit, 0, before);
	fprintf(out, "%s before, ", unit);
	quantity_put(out, &d->unit, 0, now);
	fprintf(out, "%s now: ", unit);
	quantity_put_change(out, &d->unit, 0, before, now);
	fputs(unit, out);
	if (before != 0)
		fprintf(out, " (%+.1f %%)", (c->now - c->before) * 100 /
		    c->before);
	putc('\n', out);
}

/* Explains the words that the lines have. */
static void
put_words(FILE *out, const struct diff *d, const struct diff_walk *w,
    const char *mark)
{
	const bool runs = d->runs[DIFF_BEFORE] + d->runs[DIFF_NOW] > DIFF_SIDES;
	const char *what = d->unit.measure == METRIC_TIME ? "seconds" :
	    "amount";

	if (d->per_work)
		fprintf(out, "%swork: %g before, %g now; the numbers of now "
		    "are for the work of before\n", mark,
		    d->work[DIFF_BEFORE], d->work[DIFF_NOW]);
	if (w->verdicts & 1u << DIFF_AMOUNT)
		fprintf(out, "%samount: sure in %s, not as a share; --per=1 "
		    "says that runs do equal work\n", mark, what);
	if (w->verdicts & 1u << DIFF_SHARE)
		fprintf(out, "%sshare: sure as a share, not in %s: other "
		    "lines changed\n", mark, what);
	fprintf(out, "%snoise: less than %g standard deviations of the "
	    "samples%s\n", mark, DIFF_SURE, runs ? " and of the runs" :
	    "; how much runs differ is not known: "
	    "name several a side, as --diff=OLD1,OLD2,OLD3 NEW1,NEW2,NEW3");
}

/* Prints a text of the profile, in quotes if it is for Markdown. */
static void
put_quoted(FILE *out, const char *text, const char *quote)
{
	const struct term t = { .out = out };

	fputs(quote, out);
	term_text(&t, text, 0);
	fputs(quote, out);
}

void
diff_names_print(FILE *out, const struct common_names *c, const char *mark,
    const char *quote)
{
	const char *now = c->renamed[COMMON_NAMES_NOW];
	const struct model_module *own;
	size_t at = 0;

	if (now != NULL) {
		fprintf(out, "%sprogram: ", mark);
		put_quoted(out, now, quote);
		fputs(" is compared with ", out);
		put_quoted(out, c->renamed[COMMON_NAMES_BEFORE], quote);
		putc('\n', out);
	}
	while ((own = common_names_nameless(c, &at)) != NULL) {
		fprintf(out, "%sno names: ", mark);
		put_quoted(out, own->path, quote);
		fputs(object_is_found(own->state) ? " has no symbols in a run, "
		    "so its functions are compared as one\n" : " that ran is "
		    "not there any more, so its functions are compared as one; "
		    "prof record and prof --embed store the names in the "
		    "profile\n", out);
	}
}

void
diff_footer_print(FILE *out, const struct diff *d, const struct diff_options *o,
    const struct diff_walk *w, const char *mark, const char *quote)
{
	if (w->hidden != 0)
		fprintf(out, "%snot shown: %zu line%s (%s)\n", mark, w->hidden,
		    plural_suffix(w->hidden), o->top != 0 ?
		    "--top=0 shows all" : "--min=0 shows all");
	if (w->same != 0)
		fprintf(out, "%sunchanged: %zu line%s\n", mark, w->same,
		    plural_suffix(w->same));
	diff_names_print(out, &d->names, mark, quote);
	fputs(mark, out);
	put_total(out, d);
	if (!d->exact)
		put_words(out, d, w, mark);
}

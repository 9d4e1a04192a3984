/*
 * Context: O.  Prints on what a report of tprof.out files rests: lines for
 * report_head.c and for footer.c; see tprof_footer.h.
 */
#include "report/tprof_footer.h"

#include "base/plural.h"
#include "loss.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static void
print_optional(const struct term *t, const char *before, const char *text)
{
	if (text == NULL)
		return;
	fputs(before, t->out);
	term_text(t, text, 0);
}

static const char *
tprof_scope_text(const struct model_tprof *s)
{
	if (s->scope == NULL)
		return "";
	return strcmp(s->scope, "all") == 0 ? ", all processes" :
	    strcmp(s->scope, "tree") == 0 ? ", a command and its children" :
	    "";
}

/* Prints who has taken the samples. */
static void
print_tprof_backend(const struct term *t, const struct model_tprof *s)
{
	print_optional(t, " by ", s->backend == NULL ? NULL :
	    strcmp(s->backend, "kernel") == 0 ? "the kernel" :
	    strcmp(s->backend, "preload") == 0 ? "libmon.so" : s->backend);
}

/* Returns the time between the first and the last sample, in seconds. */
static double
tprof_span(const struct model_tprof *s)
{
	return (double)(s->last_real - s->first_real) / 1e9;
}

/*
 * Prints how samples were taken, and of which processes, in the form "1 file of
 * tprof by the kernel, all processes, on HOST, DATE, 1.3 s, while: COMMAND; ".
 */
static void
print_tprof_origin(const struct term *t, const struct model_tprof *s)
{
	fputs("1 file of tprof", t->out);
	if (s->bare)
		fputs(", without notes, as NetBSD's", t->out);
	print_tprof_backend(t, s);
	fputs(tprof_scope_text(s), t->out);
	print_optional(t, ", process ", s->processes);
	print_optional(t, ", on ", s->host);
	if (s->first_real != 0) {
		fputs(", ", t->out);
		term_date(t->out, s->first_real);
		fprintf(t->out, ", %.1f s", tprof_span(s));
	}
	print_optional(t, ", while: ", s->command);
	fputs("; ", t->out);
}

/*
 * Prints it in the form of a report of libmon.so: the command, and below it
 * "DATE on HOST: 1.30 s elapsed, a command and its children".
 */
static void
print_tprof_head(const struct term *t, const struct model_tprof *s)
{
	fputs(term_on(t, TERM_HEAD), t->out);
	term_text(t, s->command, t->width);
	fprintf(t->out, "%s\n", term_off(t));
	term_date(t->out, s->first_real);
	print_optional(t, " on ", s->host);
	fprintf(t->out, ": %.2f s elapsed%s", tprof_span(s),
	    tprof_scope_text(s));
	print_optional(t, ", process ", s->processes);
	putc('\n', t->out);
}

static void
print_tprof_value(const struct term *t, const struct model_tprof *s)
{
	if (!s->timed)
		fprintf(t->out, "; no time: %" PRIu64 " counted, taken as 1 "
		    "%s each", s->value, s->each_ns == 1000000 ? "ms" : "ns");
	else if (s->samples != 0)
		fprintf(t->out, ", %.4f ms each", (double)s->value /
		    (double)s->samples / 1e6);
}

static void
print_tprof_samples(const struct term *t, const struct model_tprof *s,
    bool backend)
{
	fprintf(t->out, "%" PRIu64 " sample%s", s->samples,
	    plural_suffix(s->samples));
	print_optional(t, " of ", s->event);
	if (backend)
		print_tprof_backend(t, s);
	if (s->hz != NULL && strcmp(s->hz, "0") == 0) {
		fputs(", asked auto", t->out);
	} else if (s->hz != NULL) {
		print_optional(t, ", asked ", s->hz);
		fputs(" Hz", t->out);
	}
	print_tprof_value(t, s);
	if (s->others != 0)
		fprintf(t->out, "; %" PRIu64 " sample%s of other events left "
		    "out", s->others, plural_suffix(s->others));
	print_optional(t, s->others != 0 ? ": " : "; other events: ",
	    s->beside);
	if (s->cut)
		fputs("; cut short: what else was lost is not known", t->out);
	putc('\n', t->out);
}

bool
tprof_footer_has_command(const struct model *m)
{
	return m->sampling_count == 1 && m->import_count == 0 &&
	    m->files == 1 && m->samplings[0].command != NULL &&
	    m->samplings[0].first_real != 0;
}

void
tprof_footer_print(const struct term *t, const struct model *m)
{
	const bool head = tprof_footer_has_command(m);

	for (size_t i = 0; i < m->sampling_count; i++) {
		(head ? print_tprof_head : print_tprof_origin)(t,
		    &m->samplings[i]);
		print_tprof_samples(t, &m->samplings[i], head);
	}
}

/*
 * Returns the length of the unit with which the text of a loss begins; 0 if it
 * has none and counts samples.
 */
static size_t
loss_unit_prefix(const char *how)
{
	const size_t bytes = strcspn(how, ":");

	if (strncmp(how, "records:", 8) == 0 ||
	    strncmp(how, "milliseconds:", 13) == 0)
		return bytes;
	for (unsigned i = 0; i < LOSS_COUNT; i++)
		if (strlen(loss_unit(i)) == bytes &&
		    strncmp(loss_unit(i), how, bytes) == 0)
			return bytes;
	return 0;
}

void
tprof_footer_losses(const struct term *t, const struct model *m)
{
	for (size_t i = 0; i < m->lost_count; i++) {
		const struct model_loss *l = &m->lost[i];
		const size_t bytes = loss_unit_prefix(l->how);
		const char *unit = bytes == 0 ? "samples" : l->how;

		/* Units are plurals in "s", which is cut off for 1. */
		fprintf(t->out, "lost: %" PRIu64 " %.*s: ", l->samples,
		    (int)(bytes == 0 ? 7 : bytes) - (l->samples == 1), unit);
		term_text(t, l->how + bytes + (bytes == 0 ? 0 :
		    1 + strspn(l->how + bytes + 1, " ")), 0);
		putc('\n', t->out);
	}
}

/*
 * Context: O.  Prints a table of the reasons for which threads slept, for
 * cmd/prof/report.c; see sleep_reasons.h.
 */
#include "sleep/sleep_reasons.h"

#include "base/name_text.h"
#include "base/plural.h"
#include "sleep/sleep_cause.h"

#include <errno.h>
#include <stdlib.h>

/* most lines of other reasons, and of joins, which another thread explains */
#define REASONS_MOST	10
#define REASONS_ELSEWHERE	3
/* ns: less waiting for a processor is worth no row */
#define REASONS_WAITING	500000u
/* columns before the name of the function */
#define REASONS_COLUMNS	28

/* Time asleep for one reason in one function. */
struct sleep_sum {
	uint64_t ns;
	/* function of the model; its function_count: not known */
	uint32_t function;
	enum sleep_reason reason;
};

/* All sums; each function has SLEEP_REASONS of them. */
struct sleep_sums {
	struct sleep_sum *all;
	size_t count;
	uint64_t ns;
};

static void
add_sleep(struct sleep_sums *s, const struct model *m,
    const struct model_row *r)
{
	const struct sleep_cause c = sleep_cause_of(m, r);
	const size_t function = c.function == MODEL_NONE ? m->function_count :
	    c.function;

	s->all[function * SLEEP_REASONS + c.reason].ns += r->ns;
	s->ns += r->ns;
}

/*
 * Makes the sums of all rows asleep; the caller frees s->all.  Returns 0 or
 * -ENOMEM.
 */
static int
sums_make(struct sleep_sums *s, const struct model *m)
{
	s->count = (m->function_count + 1) * SLEEP_REASONS;
	s->all = calloc(s->count, sizeof(*s->all));
	if (s->all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < s->count; i++) {
		s->all[i].function = (uint32_t)(i / SLEEP_REASONS);
		s->all[i].reason = i % SLEEP_REASONS;
	}
	for (size_t i = 0; i < m->row_count; i++)
		if (m->rows[i].kind == FORMAT_SLEEP)
			add_sleep(s, m, &m->rows[i]);
	return 0;
}

/*
 * Sorts by time, the longest first; joins, which another thread explains, come
 * last.  Equal ones are in the order of their functions and reasons.
 */
static int
compare_sums(const void *left, const void *right)
{
	const struct sleep_sum *a = left, *b = right;
	const bool elsewhere = sleep_cause_is_elsewhere(a->reason);

	if (elsewhere != sleep_cause_is_elsewhere(b->reason))
		return elsewhere ? 1 : -1;
	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	if (a->function != b->function)
		return a->function > b->function ? 1 : -1;
	return (a->reason > b->reason) - (a->reason < b->reason);
}

static void
print_sum(const struct term *t, struct model *m, const struct sleep_sums *s,
    const struct sleep_sum *x)
{
	const int room = t->width > REASONS_COLUMNS ? t->width -
	    REASONS_COLUMNS : 0;
	const char *name = x->function < m->function_count ?
	    model_function_name(m, x->function) : "[no caller is known]";

	fprintf(t->out, "%8.1f %8.3f  %-9s ", (double)x->ns * 100 /
	    (double)s->ns, (double)x->ns / 1e9, sleep_reason_word(x->reason));
	name_text(t, m, name, room);
	putc('\n', t->out);
}

/*
 * Prints a line for each of the sums [from, to), but at most `most`, and one
 * for the rest together.
 */
static void
print_part(const struct term *t, struct model *m, const struct sleep_sums *s,
    size_t from, size_t to, size_t most)
{
	uint64_t ns = 0;

	for (size_t i = from; i < to; i++)
		if (i - from < most)
			print_sum(t, m, s, &s->all[i]);
		else
			ns += s->all[i].ns;
	if (to - from > most)
		fprintf(t->out, "%8.1f %8.3f  (%zu more line%s)\n",
		    (double)ns * 100 / (double)s->ns, (double)ns / 1e9,
		    to - from - most, plural_suffix(to - from - most));
}

/* Sorts the sums and prints the table. */
static void
print_sums(const struct term *t, struct model *m, struct sleep_sums *s)
{
	size_t here = 0, end;

	qsort(s->all, s->count, sizeof(*s->all), compare_sums);
	while (here < s->count && s->all[here].ns != 0 &&
	    !sleep_cause_is_elsewhere(s->all[here].reason))
		here++;
	fprintf(t->out, "%sAsleep, by reason (share of all time that threads "
	    "slept):\n%8s %8s  %-9s %s%s\n", term_on(t, TERM_HEAD), "%",
	    "Seconds", "Reason", "First function outside of libraries",
	    term_off(t));
	print_part(t, m, s, 0, here, REASONS_MOST);
	/* Those without time are behind those that have some. */
	while (here < s->count && !sleep_cause_is_elsewhere(
	    s->all[here].reason))
		here++;
	for (end = here; end < s->count && s->all[end].ns != 0; end++)
		;
	print_part(t, m, s, here, end, REASONS_ELSEWHERE);
	if (end != here)
		fprintf(t->out, "%20sjoin: until a thread ended; see what that "
		    "thread did\n", "");
}

/*
 * Prints the row of waiting for a processor.  It has no share, as it is no part
 * of the time asleep.
 */
static void
print_waiting(FILE *out, const struct elapsed_waiting *w)
{
	fprintf(out, "%8s %8.3f  %-9s [waiting for a processor%s]", "-",
	    (double)w->ns / 1e9, "-", w->least ? ", at least" : "");
	if (w->error != 0)
		fprintf(out, " (+-%.2f s)", (double)w->error / 1e9);
	putc('\n', out);
}

int
sleep_reasons_print(const struct term *t, struct model *m, bool below,
    const struct elapsed_waiting *waiting)
{
	struct sleep_sums s = { 0 };

	/* Frame 0 stands for none. */
	if (m->stacks.count <= 1 || !model_has_sleep(m))
		return 0;
	if (sums_make(&s, m) != 0)
		return -ENOMEM;
	if (s.ns != 0 && below)
		putc('\n', t->out);
	if (s.ns != 0)
		print_sums(t, m, &s);
	if (s.ns != 0 && waiting->ns >= REASONS_WAITING)
		print_waiting(t->out, waiting);
	if (s.ns != 0 && !below)
		putc('\n', t->out);
	free(s.all);
	return 0;
}

/*
 * Context: O.  Prints what a report is of, above its first table, for cmd/prof
 * and the page; see report_head.h.
 */
#include "report/report_head.h"

#include "base/clock_ns.h"
#include "base/plural.h"
#include "base/sampling_error.h"
#include "foreign/provenance.h"
#include "names/profiler_functions.h"
#include "report/elapsed_sums.h"
#include "report/footer.h"
#include "report/tprof_footer.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define REPORT_HEAD_COMMAND	400	/* columns of a command in a pipe */
/*
 * ns: in a shorter run the kernel's CPU time, which includes the start of the
 * process, is no measure of cores
 */
#define REPORT_HEAD_CORES	10000000u
/* scheduler ticks within which a sample is certain */
#define REPORT_HEAD_TICKS	3

/* From when to when, and where, the processes of a report ran. */
struct report_span {
	const struct model_process *first;	/* the one that began first */
	uint64_t start_real, end_real;	/* ns since 1970 */
	bool running;		/* some process still runs */
	bool hosts_differ;
};

/*
 * Returns when the process image began, in ns since 1970: not after its birth,
 * whatever a damaged file says.
 */
static uint64_t
image_start_real(const struct model_process *p)
{
	const uint64_t before = p->begin_mono < p->birth_mono ?
	    p->birth_mono - p->begin_mono : 0;

	return before < p->birth_real ? p->birth_real - before : 0;
}

/*
 * Returns the end of the process in ns since 1970: now if it runs, and if it
 * was killed, when it last read its clocks.
 */
static uint64_t
process_end_real(const struct model_process *p)
{
	const uint64_t last = p->life == MODEL_RUNNING ?
	    clock_ns_now(CLOCK_MONOTONIC) : p->last_mono;

	return last > p->birth_mono ? p->birth_real + last - p->birth_mono :
	    p->birth_real;
}

/* Returns whether a process began before the one that has been found. */
static bool
began_before(const struct model_process *p, const struct report_span *s)
{
	const uint64_t start = image_start_real(p);

	return s->first == NULL || start < s->start_real ||
	    (start == s->start_real && p->birth_mono < s->first->birth_mono);
}

/*
 * Returns the span of all processes of libmon.so; first is NULL if there are
 * none.
 */
static struct report_span
report_span_of(const struct model *m)
{
	struct report_span s = { 0 };
	const char *host = NULL;

	for (size_t i = 0; i < m->process_count; i++) {
		const struct model_process *p = &m->processes[i];

		if (p->foreign)
			continue;
		if (began_before(p, &s)) {
			s.start_real = image_start_real(p);
			s.first = p;
		}
		if (process_end_real(p) > s.end_real)
			s.end_real = process_end_real(p);
		s.running |= p->life == MODEL_RUNNING;
		/*
		 * Texts are single copies, so pointers are compared.  A file
		 * that is truncated early has none.
		 */
		if (*p->host == '\0')
			continue;
		s.hosts_differ |= host != NULL && p->host != host;
		host = p->host;
	}
	return s;
}

static void
print_head_command(const struct term *t, const struct report_span *s)
{
	const char *command = *s->first->command != '\0' ? s->first->command :
	    *s->first->program != '\0' ? s->first->program :
	    "[a command that the file has lost]";

	fputs(term_on(t, TERM_HEAD), t->out);
	term_text(t, command, t->width != 0 ? t->width : REPORT_HEAD_COMMAND);
	fprintf(t->out, "%s\n", term_off(t));
}

/* Prints the line of date, host and sums, and the one of elapsed time. */
static void
print_head_sums(const struct term *t, const struct model *m,
    const struct report_span *s, const struct footer_sums *x)
{
	const uint64_t elapsed = s->end_real > s->start_real ?
	    s->end_real - s->start_real : 0;
	/* as the table has it, with children that have no profile */
	const uint64_t cpu = x->all_ns + (m->whole ? m->unseen_ns : 0);
	const size_t lives = x->some_threads ? 0 : elapsed_sums_threads(m);
	/* Threads without a sample have no record. */
	const size_t threads = lives > x->threads ? lives : x->threads;
	const bool least = elapsed_sums_too_short(m);
	FILE *out = t->out;

	term_date(out, s->start_real);
	if (s->hosts_differ) {
		fputs(" on several hosts", out);
	} else if (*s->first->host != '\0') {
		fputs(" on ", out);
		term_text(t, s->first->host, 0);
	}
	fprintf(out, ": %s%.2f s elapsed%s", least ? "at least " : "",
	    footer_sums_seconds(elapsed), least ?
	    " (no last reading, as after a kill or a seccomp filter)" :
	    s->running ? " so far" : "");
	/* A profile of allocations has no CPU time. */
	if (cpu != 0)
		fprintf(out, ", %.2f s CPU", footer_sums_seconds(cpu));
	if (cpu != 0 && elapsed >= REPORT_HEAD_CORES && !least)
		fprintf(out, " (%.2f cores)", (double)cpu / (double)elapsed);
	fprintf(out, ", %zu process%s", m->pid_count, m->pid_count == 1 ? "" :
	    "es");
	/* A process without a sample has no thread in its file. */
	if (threads >= m->pid_count)
		fprintf(out, ", %zu thread%s", threads,
		    plural_suffix(threads));
	putc('\n', out);
	if (!model_is_heap(m) && !x->some_threads && !least)
		elapsed_sums_print(out, m, elapsed);
}

/* Prints the largest error of a share of CPU time. */
static void
print_largest_error(FILE *out, const struct model *m, const struct group *g,
    const struct footer_sums *x)
{
	double most = 0, points;

	for (size_t i = 0; i < g->cpu_lines; i++)
		if (sampling_error_percent(m, g->lines[i].ns,
		    g->lines[i].count, g->total_ns, false, &points) &&
		    points > most)
			most = points;
	if (most > 0)
		fprintf(out, ", shares good to +-%.1f points%s", most,
		    x->coarse_seen != 0 && !footer_sums_fine_clock(x) ?
		    " unless threads ran in step with the scheduler's tick" :
		    "");
}

/* Returns whether the processes can have ended before a first sample. */
static bool
is_too_short(const struct footer_sums *x)
{
	return x->samples == 0 && x->all_ns != 0 &&
	    x->all_ns < REPORT_HEAD_TICKS * x->tick_high;
}

/* Prints on how many samples the report rests, and what they cost. */
static void
print_head_trust(const struct term *t, const struct model *m,
    const struct group *g, const struct footer_sums *x)
{
	FILE *out = t->out;

	fputs(term_on(t, TERM_DIM), out);
	if (x->samples != 0)
		fprintf(out, "%" PRIu64 " sample%s", x->samples,
		    plural_suffix(x->samples));
	else if (is_too_short(x))
		fprintf(out, "too short to sample: the first sample comes "
		    "after some %.0f ms of CPU time",
		    footer_sums_seconds(x->tick_high) * 1e3);
	else
		fputs("no samples", out);
	if (x->samples != 0 && x->all_ns != 0)
		fprintf(out, ", about %.0f Hz", (double)x->samples /
		    footer_sums_seconds(x->all_ns));
	print_largest_error(out, m, g, x);
	if (x->all_ns != 0 && m->cost_ns > 0 && !x->some_threads)
		fprintf(out, ", cost %.1f %%", (m->cost_ns +
		    (double)profiler_functions_ns(m)) * 100 /
		    (double)x->all_ns);
	fprintf(out, "%s%s\n", footer_has_losses(m) ?
	    "; losses are listed below" : ", nothing lost", term_off(t));
}

void
report_head_subject(const struct term *t, const struct model *m)
{
	const struct report_span span = report_span_of(m);
	struct footer_sums x;

	if (span.first == NULL)
		return;
	footer_sums_make(&x, m);
	print_head_command(t, &span);
	print_head_sums(t, m, &span, &x);
}

void
report_head_print(const struct term *t, struct model *m,
    const struct group *g)
{
	const struct report_span span = report_span_of(m);
	struct footer_sums x;

	footer_sums_make(&x, m);
	if (span.first != NULL) {
		print_head_command(t, &span);
		print_head_sums(t, m, &span, &x);
		if (!m->wall && !model_is_heap(m) &&
		    elapsed_sums_mostly_asleep(m))
			fputs("prof record --wall records where threads "
			    "sleep\n", t->out);
		if (!model_is_heap(m) && (footer_sums_any_clock(&x) ||
		    is_too_short(&x)))
			print_head_trust(t, m, g, &x);
	}
	provenance_print(t->out, m);
	tprof_footer_print(t, m);
	putc('\n', t->out);
}

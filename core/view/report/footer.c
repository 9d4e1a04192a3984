/*
 * Context: O.  Prints on what a report rests, below every report of time, for
 * cmd/prof/report.c and the page; see footer.h.  Most functions print one line
 * each.
 */
#include "report/footer.h"

#include "base/plural.h"
#include "base/sampling_error.h"
#include "names/profiler_functions.h"
#include "report/clock_footer.h"
#include "report/elapsed_sums.h"
#include "report/footer_sums.h"
#include "report/skipped_footer.h"
#include "report/tprof_footer.h"
#include "report/unresolved_modules.h"
#include "stack/stack_footer.h"

#include <inttypes.h>
#include <string.h>

/* ns; shorter times would be shown as 0.000 s */
#define SCALED_LEAST	1000000u
/* the part of the CPU time, 1/100, from which a difference is worth a line */
#define FOOTER_PARTS	100
/* difference that a few ticks at the start and the end explain, ns */
#define FOOTER_TICKS_NS	20000000u
/* the part of the CPU time, 1/20, from which missing names are */
#define FOOTER_UNNAMED_PARTS	20

static double
footer_percent(uint64_t part, uint64_t of)
{
	return of == 0 ? 0 : (double)part * 100 / (double)of;
}

/* Returns the share in percent, with its sign. */
static double
signed_percent(const struct model *m, const struct group *g, uint64_t ns)
{
	return g->total_ns == 0 ? 0 : model_signed_time(m, ns) * 100 /
	    (double)g->total_ns;
}

/*
 * Prints how many threads there are.  Threads without a sample have no record,
 * but may be counted among the lives.
 */
static void
footer_threads(FILE *out, const struct model *m, const struct footer_sums *x)
{
	const size_t lives = x->some_threads ? 0 : elapsed_sums_threads(m);

	if (lives > x->threads)
		fprintf(out, ", %zu of %zu threads with samples", x->threads,
		    lives);
	else
		fprintf(out, ", %zu thread%s", x->threads,
		    plural_suffix(x->threads));
}

/*
 * Prints how many files, processes and threads there are, and how they ended.
 */
static void
footer_files(FILE *out, const struct model *m, const struct footer_sums *x)
{
	const size_t own = m->files - m->files_foreign;

	fprintf(out, "%zu file%s, %zu process%s", own, plural_suffix(own),
	    m->pid_count, m->pid_count == 1 ? "" : "es");
	if (x->processes != m->pid_count)
		fprintf(out, m->some_anew ? " (%zu parts, by exec or end)" :
		    " (%zu images, by exec)", x->processes);
	footer_threads(out, m, x);
	if (x->life[MODEL_RUNNING] != 0)
		fprintf(out, "; %zu still running", x->life[MODEL_RUNNING]);
	if (x->life[MODEL_KILLED] != 0)
		fprintf(out, "; %zu ended unseen: by a signal, a "
		    "raw system call, or in a sandbox", x->life[MODEL_KILLED]);
	if (x->life[MODEL_UNKNOWN] != 0)
		fprintf(out, "; %zu ended unseen or still running elsewhere",
		    x->life[MODEL_UNKNOWN]);
	if (m->files_cut != 0)
		fprintf(out, "; %zu file%s cut short", m->files_cut,
		    plural_suffix(m->files_cut));
	if (m->files_copied != 0)
		fprintf(out, "; %zu cop%s of a file not counted",
		    m->files_copied, m->files_copied == 1 ? "y" : "ies");
	putc('\n', out);
}

static void
footer_unnamed(FILE *out, const struct model *m, const struct group *g)
{
	if (m->unnamed_ns != 0)
		fprintf(out, "without a symbol: %.3f s (%.1f %%)\n",
		    model_signed_time(m, m->unnamed_ns) / 1e9, signed_percent(m,
		    g, m->unnamed_ns));
}

/* Prints the CPU time by the kernel beside that in samples. */
static void
footer_time(FILE *out, const struct model *m, const struct footer_sums *x)
{
	if (x->known == 0 && x->all_ns > x->seen_ns)
		fprintf(out, "CPU time: %.3f s in samples, %.3f s by the "
		    "kernel when last asked", footer_sums_seconds(x->seen_ns),
		    footer_sums_seconds(x->all_ns));
	else if (x->known == 0)
		fprintf(out, "CPU time: %.3f s in samples, not known from the "
		    "kernel%s", footer_sums_seconds(x->seen_ns),
		    x->some_threads ? " for these threads alone" : "");
	else if (x->known < x->processes)
		fprintf(out, "CPU time: %.3f s; of %zu of %zu %s the kernel "
		    "reports it: ", footer_sums_seconds(x->all_ns),
		    x->known, x->processes, x->processes == m->pid_count ?
		    "processes" : "images");
	else
		fprintf(out, "CPU time: ");
	if (x->known != 0 && !footer_sums_any_clock(x))
		fprintf(out, "%.3f s by the kernel, not sampled",
		    footer_sums_seconds(x->cpu_ns));
	else if (x->known != 0)
		fprintf(out, "%.3f s by the kernel, %.3f s in samples "
		    "(%+.1f %%)", footer_sums_seconds(x->cpu_ns),
		    footer_sums_seconds(x->sample_ns),
		    footer_percent(x->sample_ns, x->cpu_ns) - 100);
	if (x->scaled_ns >= SCALED_LEAST)
		fprintf(out, "; samples stood for %.3f s more and are scaled "
		    "to it", footer_sums_seconds(x->scaled_ns));
	if (x->over_ns != 0)
		fprintf(out, "; %.3f s more in samples than used",
		    footer_sums_seconds(x->over_ns));
	if (x->stopped_ns != 0)
		fprintf(out, "; %.3f s more passed while stopped",
		    footer_sums_seconds(x->stopped_ns));
	putc('\n', out);
}

/*
 * Prints the kernel's figure for children, less what their profiles have.  If
 * files were named, more profiles may exist than were read.
 */
static void
footer_unprofiled(FILE *out, const struct model *m)
{
	if (m->unseen_ns == 0)
		return;
	fprintf(out, "outside of profiles: %.3f s of child processes",
	    footer_sums_seconds(m->unseen_ns));
	if (!m->whole) {
		fprintf(out, ", not included in this report of single files\n");
		return;
	}
	if (m->unseen_processes != 0)
		fprintf(out, ": %" PRIu64 " %s too short to sample%s, or not "
		    "under libmon;", m->unseen_processes,
		    m->unseen_processes == 1 ? "was" : "were",
		    m->losses[LOSS_CHILD_FILE] != 0 ? ", without a file" : "");
	else
		fprintf(out, ":");
	fprintf(out, " of other processes, the time before their start and "
	    "after their end%s\n", m->losses[LOSS_IMAGE_FILE] != 0 ?
	    ", and of programs executed where no file could be created" : "");
}

/*
 * Returns whether some time was measured by the scheduler's tick alone.  A
 * thread that sleeps, or shares its processor, may run only between two ticks,
 * and no number of samples shows that.
 */
static bool
used_coarse_only(const struct footer_sums *x)
{
	return !footer_sums_fine_clock(x) || (x->fine_seen &
	    (1u << FORMAT_FINE_SWITCHING | 1u << FORMAT_FINE_REFUSED |
	    1u << FORMAT_FINE_SECCOMP)) != 0;
}

static const struct group_line *
find_largest_line(const struct group *g)
{
	const struct group_line *most = NULL;

	for (size_t i = 0; i < g->cpu_lines; i++)
		if (g->lines[i].count != 0 &&
		    (most == NULL || g->lines[i].ns > most->ns))
			most = &g->lines[i];
	return most;
}

static void
footer_error(FILE *out, const struct model *m, const struct group *g,
    const struct footer_sums *x)
{
	const struct group_line *most = find_largest_line(g);
	double points;

	if (most == NULL || !sampling_error_percent(m, most->ns, most->count,
	    g->total_ns, false, &points))
		return;
	fprintf(out, "error: the largest line rests on %"
	    PRIu64 " sample%s: its share is good to +-%.1f points, 95 times "
	    "of 100%s\n",
	    most->count, plural_suffix(most->count), points,
	    x->coarse_seen != 0 && used_coarse_only(x) ?
	    ", unless threads ran in step with the scheduler's tick" : "");
}

/* Prints what the ticks and calls of libmon.so took themselves. */
static void
footer_cost(FILE *out, const struct model *m, const struct footer_sums *x)
{
	const uint64_t ours = profiler_functions_ns(m);

	if (m->ticks == 0 || !(m->cost_ns > 0))
		return;
	/* A file has these sums for all of its threads together. */
	fprintf(out, "cost: %" PRIu64 " tick%s%s took %.3f s", m->ticks,
	    plural_suffix(m->ticks), x->some_threads ? " of all threads" : "",
	    m->cost_ns / 1e9);
	if (ours != 0)
		fprintf(out, ", libmon.so in calls of the program %.3f s",
		    footer_sums_seconds(ours));
	if (x->all_ns != 0 && !x->some_threads)
		fprintf(out, " (%.2f %% of the CPU time)", (m->cost_ns +
		    (double)ours) * 100 / (double)x->all_ns);
	putc('\n', out);
}

bool
footer_has_losses(const struct model *m)
{
	for (unsigned i = 0; i < LOSS_MAX; i++)
		if (m->losses[i] != 0)
			return true;
	return m->lost_count != 0 || m->files_cut != 0;
}

/*
 * Returns the length of the unit's name, in bytes, for that count.  The name is
 * a plural in "s" or "sses" (see loss_unit()), and loses its ending for 1.
 */
static int
unit_bytes(const char *unit, uint64_t count)
{
	const size_t n = strlen(unit);

	if (count != 1)
		return (int)n;
	return (int)n - (n > 4 && strcmp(unit + n - 4, "sses") == 0 ? 2 : 1);
}

void
footer_loss(FILE *out, const struct model *m, unsigned number)
{
	const uint64_t all = m->losses[number];
	const uint64_t sampled = m->sampled_losses[number];
	const char *unit = loss_unit(number);

	if (unit == NULL) {
		fprintf(out, "%" PRIu64 ": loss number %u, of a newer libmon",
		    all, number);
		return;
	}
	fprintf(out, "%" PRIu64 " %s%.*s", all, sampled != 0 &&
	    sampled == all ? "sampled " : "", unit_bytes(unit, all), unit);
	if (sampled != 0 && sampled != all)
		fprintf(out, " (%" PRIu64 " of them sampled)", sampled);
	fprintf(out, ": %s", loss_text(number));
}

void
footer_losses(FILE *out, const struct model *m)
{
	for (unsigned i = 0; i < LOSS_MAX; i++) {
		if (m->losses[i] == 0)
			continue;
		fputs("lost: ", out);
		footer_loss(out, m, i);
		putc('\n', out);
	}
}

/*
 * The functions below return whether their line is of use where the user has
 * not asked for all lines: something is missing, or is not as it seems.
 */

static bool
files_need_a_word(const struct model *m, const struct footer_sums *x)
{
	return x->life[MODEL_KILLED] != 0 || x->life[MODEL_UNKNOWN] != 0 ||
	    m->files_cut != 0 || m->files_copied != 0;
}

/* A clock was refused or is off: the rate is lower than usual. */
static bool
clocks_need_a_word(const struct footer_sums *x)
{
	return x->coarse_errno != 0 || x->fine_errno != 0 ||
	    x->kernel_errno != 0 ||
	    (x->fine_seen & 1u << FORMAT_FINE_SECCOMP) != 0;
}

/* The kernel's CPU time and that in samples differ by more than a percent. */
static bool
time_needs_a_word(const struct footer_sums *x)
{
	const uint64_t least = x->all_ns / FOOTER_PARTS;
	const uint64_t missing = x->cpu_ns > x->sample_ns ? x->cpu_ns -
	    x->sample_ns : x->sample_ns - x->cpu_ns;

	return x->stopped_ns != 0 || x->over_ns > least ||
	    x->scaled_ns > least || (footer_sums_any_clock(x) &&
	    x->known != 0 && missing > least && missing > FOOTER_TICKS_NS);
}

static void
footer_own_files(const struct term *t, const struct model *m,
    const struct footer_sums *x, bool verbose)
{
	if (m->files == m->files_foreign)
		return;
	if (verbose || files_need_a_word(m, x))
		footer_files(t->out, m, x);
	if (verbose)
		clock_footer_rate(t->out, m, x);
	if (verbose || clocks_need_a_word(x))
		clock_footer_print(t->out, x);
	if (verbose || time_needs_a_word(x))
		footer_time(t->out, m, x);
	if (verbose || m->unseen_ns > x->all_ns / FOOTER_PARTS)
		footer_unprofiled(t->out, m);
}

/* Prints lines about the rows of the table. */
static void
footer_rows(const struct term *t, const struct model *m, const struct group *g)
{
	if (g->hidden != 0)
		fprintf(t->out, "%zu more line%s not shown, %.3f s (%.1f %%)\n",
		    g->hidden, plural_suffix(g->hidden), model_signed_time(m,
		    g->hidden_ns) / 1e9, signed_percent(m, g, g->hidden_ns));
	if (g->count == 0)
		fprintf(t->out, "%s\n", filter_first_unmatched(m->filter,
		    m->met) != FILTER_KINDS ? "nothing matches the filters" :
		    m->row_count == 0 ? "no time was counted" :
		    "what the filters name has no time of its own");
}

void
footer_print(const struct term *t, struct model *m, const struct group *g,
    bool verbose)
{
	struct footer_sums x;

	footer_sums_make(&x, m);
	fprintf(t->out, "\n%s", term_on(t, TERM_DIM));
	footer_rows(t, m, g);
	skipped_footer_print(t, m);
	footer_own_files(t, m, &x, verbose);
	if (verbose || m->unnamed_ns > g->total_ns / FOOTER_UNNAMED_PARTS)
		footer_unnamed(t->out, m, g);
	/* The number of samples on which a difference rests is not known. */
	if (!model_has_signs(m)) {
		stack_footer_print(t->out, m, verbose);
		if (verbose)
			footer_error(t->out, m, g, &x);
	}
	if (verbose)
		footer_cost(t->out, m, &x);
	if (m->heap_files != 0)
		fprintf(t->out, "allocations were counted%s: --heap shows "
		    "them\n", footer_sums_any_clock(&x) ? ", too" : "");
	footer_losses(t->out, m);
	tprof_footer_losses(t, m);
	unresolved_modules_print(t, m);
	fputs(term_off(t), t->out);
}

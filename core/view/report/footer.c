/*
 * Context: O.  Prints on what a report rests, below every table of time.
 * Each function prints one line.
 */
#include "report/footer.h"

#include "base/plural.h"
#include "base/sampling_error.h"
#include "foreign/provenance.h"
#include "report/clock_footer.h"
#include "report/footer_sums.h"
#include "report/skipped_footer.h"
#include "report/tprof_footer.h"
#include "report/unresolved_modules.h"
#include "stack/stack_footer.h"

#include <inttypes.h>
#include <string.h>

/* ns; smaller times would be shown as 0.000 s */
#define SCALED_LEAST	1000000u

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

static void
footer_files(FILE *out, const struct model *m, const struct footer_sums *x)
{
	const size_t own = m->files - m->files_foreign;

	fprintf(out, "%zu file%s, %zu process%s", own, plural_suffix(own),
	    m->pid_count, m->pid_count == 1 ? "" : "es");
	if (x->processes != m->pid_count)
		fprintf(out, m->some_anew ? " (%zu parts, by exec or end)" :
		    " (%zu images, by exec)", x->processes);
	fprintf(out, ", %zu thread%s", x->threads, plural_suffix(x->threads));
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

static void
footer_error(FILE *out, const struct model *m, const struct group *g,
    const struct footer_sums *x)
{
	const struct group_line *most = NULL;
	double points;

	for (size_t i = 0; i < g->cpu_lines; i++)
		if (g->lines[i].count != 0 &&
		    (most == NULL || g->lines[i].ns > most->ns))
			most = &g->lines[i];
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

static void
footer_cost(FILE *out, const struct model *m, const struct footer_sums *x)
{
	if (m->ticks == 0 || !(m->cost_ns > 0))
		return;
	/* A file has these sums for all of its threads together. */
	fprintf(out, "cost: %" PRIu64 " tick%s%s took %.3f s", m->ticks,
	    plural_suffix(m->ticks), x->some_threads ? " of all threads" : "",
	    m->cost_ns / 1e9);
	if (x->all_ns != 0 && !x->some_threads)
		fprintf(out, " (%.2f %% of the CPU time)",
		    m->cost_ns * 100 / (double)x->all_ns);
	putc('\n', out);
}

/*
 * Returns the length of the unit's name for that count.  The name is a plural
 * in "s" or "sses", and loses its ending for 1.
 */
static int
loss_unit_bytes(const char *unit, uint64_t count)
{
	const size_t n = strlen(unit);

	if (count != 1)
		return (int)n;
	return (int)n - (n > 4 && strcmp(unit + n - 4, "sses") == 0 ? 2 : 1);
}

void
footer_losses(FILE *out, const struct model *m)
{
	for (unsigned i = 0; i < LOSS_MAX; i++) {
		if (m->losses[i] == 0)
			continue;
		if (loss_text(i) != NULL)
			fprintf(out, "lost: %" PRIu64 " %.*s: %s\n",
			    m->losses[i], loss_unit_bytes(loss_unit(i),
			    m->losses[i]), loss_unit(i), loss_text(i));
		else
			fprintf(out, "lost: %" PRIu64 ": loss number %u, "
			    "of a newer libmon\n", m->losses[i], i);
	}
}

void
footer_print(const struct term *t, struct model *m, const struct group *g)
{
	struct footer_sums x = { .period_low = UINT64_MAX, .asked_low =
	    UINT64_MAX,
		.budget_low = UINT64_MAX, .tick_low = UINT64_MAX };

	x.some_threads = filter_is_on(m->filter, FILTER_THREAD);
	for (size_t i = 0; i < m->process_count; i++)
		footer_sums_add(&x, &m->processes[i]);
	for (size_t i = 0; i < m->thread_count; i++)
		x.threads += !m->processes[m->threads[i].process].foreign;
	fprintf(t->out, "\n%s", term_on(t, TERM_DIM));
	if (g->hidden != 0)
		fprintf(t->out, "%zu more line%s not shown, %.3f s (%.1f %%)\n",
		    g->hidden, plural_suffix(g->hidden), model_signed_time(m,
		    g->hidden_ns) / 1e9, signed_percent(m, g, g->hidden_ns));
	if (g->count == 0)
		fprintf(t->out, "%s\n", m->row_count == 0 &&
		    filter_first_unmatched(m->filter, m->met) == FILTER_KINDS ?
		    "no time was counted" : "nothing matches the filters");
	provenance_print(t->out, m);
	tprof_footer_print(t, m);
	skipped_footer_print(t, m);
	if (m->files != m->files_foreign) {
		footer_files(t->out, m, &x);
		clock_footer_rate(t->out, m, &x);
		clock_footer_print(t->out, &x);
		footer_time(t->out, m, &x);
		footer_unprofiled(t->out, m);
	}
	footer_unnamed(t->out, m, g);
	/* The number of samples on which a difference rests is not known. */
	if (!model_has_signs(m)) {
		stack_footer_print(t->out, m);
		footer_error(t->out, m, g, &x);
	}
	footer_cost(t->out, m, &x);
	if (m->heap_files != 0)
		fprintf(t->out, "allocations were counted%s: --heap shows "
		    "them\n", footer_sums_any_clock(&x) ? ", too" : "");
	footer_losses(t->out, m);
	tprof_footer_losses(t, m);
	unresolved_modules_print(t, m);
	fputs(term_off(t), t->out);
}

/*
 * Context: O.  Prints on what a report rests, below every table of time:
 * footer_add_process() sums all processes, then each function prints one line.
 */
#include "report/footer.h"

#include "base/sampling_error.h"
#include "foreign/provenance.h"
#include "report/skipped_footer.h"
#include "report/tprof_footer.h"
#include "report/unresolved_modules.h"
#include "stack/stack_footer.h"

#include <inttypes.h>
#include <string.h>

/* ns; smaller times would be shown as 0.000 s */
#define SCALED_LEAST	1000000u

/* Sums over all processes. */
struct footer {
	size_t life[MODEL_UNKNOWN + 1];
	uint64_t samples;
	/* threads are selected: the kernel's figures are of all threads */
	bool some_threads;
	size_t processes, threads;	/* from files of libmon.so */
	/* processes whose CPU time is known */
	size_t known;
	uint64_t cpu_ns;	/* CPU time by the kernel of these processes */
	uint64_t sample_ns;	/* time in samples of these processes */
	/* subtracted from samples so that they agree with the kernel */
	uint64_t scaled_ns;
	uint64_t over_ns;	/* time in samples beyond the kernel's figure */
	uint64_t seen_ns;	/* time in samples of all processes */
	uint64_t stopped_ns;	/* CPU time while stopped; in no other sum */
	/* CPU time, or time in samples where that is more */
	uint64_t all_ns;
	uint32_t coarse_seen, fine_seen;
	int32_t coarse_errno, fine_errno, kernel_errno;
	uint64_t tick_low, tick_high;
	uint64_t period_low, period_high;
	uint64_t budget_low, budget_high, later_ns;
	uint64_t asked_low, asked_high;
	bool asked_auto;
};

static void
extend_range(uint64_t value, uint64_t *low, uint64_t *high)
{
	if (value < *low)
		*low = value;
	if (value > *high)
		*high = value;
}

/*
 * Returns the interval of the coarse clock: the one asked for, if it is longer
 * and no fine clock is used.
 */
static uint64_t
coarse_interval_ns(const struct model_process *p)
{
	uint64_t asked = p->asked_hz == 0 ? 0 : 1000000000u / p->asked_hz;

	return p->period_ns == 0 && asked > p->tick_ns ? asked : p->tick_ns;
}

static void
footer_add_process(struct footer *x, const struct model_process *p)
{
	if (p->foreign)
		return;
	x->processes++;
	x->life[p->life]++;
	x->samples += p->samples;
	x->seen_ns += p->sample_ns;
	x->stopped_ns += p->stopped_ns;
	x->coarse_seen |= p->coarse_seen;
	x->fine_seen |= p->fine_seen;
	if (x->coarse_errno == 0)
		x->coarse_errno = p->coarse_errno;
	if (x->fine_errno == 0)
		x->fine_errno = p->fine_errno;
	if (x->kernel_errno == 0)
		x->kernel_errno = p->kernel_errno;
	extend_range(coarse_interval_ns(p), &x->tick_low, &x->tick_high);
	if (p->period_ns != 0) {
		extend_range(p->period_ns, &x->period_low, &x->period_high);
		extend_range(p->budget_ns, &x->budget_low, &x->budget_high);
	}
	if (p->later_ns != 0)
		x->later_ns = p->later_ns;
	if (p->asked_hz == 0)
		x->asked_auto = true;
	else
		extend_range(p->asked_hz, &x->asked_low, &x->asked_high);
	if (x->some_threads) {
		x->all_ns += p->sample_ns;
		return;
	}
	x->all_ns += p->cpu_ns > p->sample_ns ? p->cpu_ns : p->sample_ns;
	/*
	 * A process that was killed read its clock up to a second before its
	 * end.
	 */
	if ((p->cpu_ns == 0 && p->stopped_ns == 0) || p->life == MODEL_KILLED ||
	    p->life == MODEL_UNKNOWN)
		return;
	x->known++;
	x->cpu_ns += p->cpu_ns;
	x->sample_ns += p->sample_ns;
	x->scaled_ns += p->scaled_ns;
	if (p->sample_ns > p->cpu_ns)
		x->over_ns += p->sample_ns - p->cpu_ns;
}

static double
ns_to_seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

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

static const char *
footer_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void
footer_files(FILE *out, const struct model *m, const struct footer *x)
{
	const size_t own = m->files - m->files_foreign;

	fprintf(out, "%zu file%s, %zu process%s", own, footer_plural(own),
	    m->pid_count, m->pid_count == 1 ? "" : "es");
	if (x->processes != m->pid_count)
		fprintf(out, m->some_anew ? " (%zu parts, by exec or end)" :
		    " (%zu images, by exec)", x->processes);
	fprintf(out, ", %zu thread%s", x->threads, footer_plural(x->threads));
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
		    footer_plural(m->files_cut));
	if (m->files_copied != 0)
		fprintf(out, "; %zu cop%s of a file not counted",
		    m->files_copied, m->files_copied == 1 ? "y" : "ies");
	putc('\n', out);
}

/*
 * Prints the mean weight of a sample in user mode and in system calls, as these
 * are measured by different clocks.
 */
static void
footer_weights(FILE *out, const struct model *m)
{
	struct { uint64_t count, ns; } user = { 0 }, kernel = { 0 };

	/* Ticks of other profilers have rows of the same kind. */
	if (m->files_foreign != 0)
		return;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->kind == FORMAT_USER) {
			user.count += r->count;
			user.ns += r->ns;
		} else if (r->kind == FORMAT_KERNEL) {
			kernel.count += r->count;
			kernel.ns += r->ns;
		}
	}
	if (user.count != 0)
		fprintf(out, "; %.4f ms a sample in user mode",
		    (double)user.ns / (double)user.count / 1e6);
	if (kernel.count != 0)
		fprintf(out, "%s %.4f ms in a call", user.count != 0 ? "," :
		    ";", (double)kernel.ns / (double)kernel.count / 1e6);
}

static void
footer_rate(FILE *out, const struct model *m, const struct footer *x)
{
	fprintf(out, "rate: asked %s", x->asked_auto ? "auto" : "");
	if (x->asked_auto && x->asked_high != 0)
		fprintf(out, " and ");
	if (x->asked_low < x->asked_high)
		fprintf(out, "%" PRIu64 " to ", x->asked_low);
	if (x->asked_high != 0)
		fprintf(out, "%" PRIu64 " Hz", x->asked_high);
	if (x->all_ns != 0)
		fprintf(out, ", measured %.1f samples a CPU second",
		    (double)x->samples / ns_to_seconds(x->all_ns));
	footer_weights(out, m);
	putc('\n', out);
}

static void
footer_period(FILE *out, const struct footer *x)
{
	fprintf(out, "; fine: perf event");
	if (x->period_high == 0)
		return;
	fprintf(out, " every ");
	if (x->period_low < x->period_high)
		fprintf(out, "%.4f to ", (double)x->period_low / 1e6);
	fprintf(out, "%.4f ms of user time", (double)x->period_high / 1e6);
	if (x->budget_high != 0)
		fprintf(out, " for %sthe first %.1f s of a thread",
		    x->budget_low < x->budget_high ? "all or " : "",
		    ns_to_seconds(x->budget_high));
	if (x->later_ns != 0)
		fprintf(out, ", then every %.4f ms while it sleeps now "
		    "and then or shares its processor",
		    (double)x->later_ns / 1e6);
}

static bool
used_fine_clock(const struct footer *x)
{
	return (x->fine_seen & (1u << FORMAT_FINE_ON |
	    1u << FORMAT_FINE_DONE)) != 0;
}

static void
footer_fine(FILE *out, const struct footer *x)
{
	bool on = used_fine_clock(x);
	bool refused = (x->fine_seen & 1u << FORMAT_FINE_REFUSED) != 0;
	bool boxed = (x->fine_seen & 1u << FORMAT_FINE_SECCOMP) != 0;

	if (on)
		footer_period(out, x);
	if ((x->fine_seen & 1u << FORMAT_FINE_SWITCHING) != 0)
		fprintf(out, ", off while it is switched often");
	if (boxed)
		fprintf(out, on ? ", off under seccomp" :
		    "; fine: off under seccomp");
	if (refused)
		fprintf(out, "; fine: refused%s (%s)", on ?
		    " to some threads" : "", strerror(x->fine_errno));
	if (!on && !refused && !boxed)
		fprintf(out, "; fine: not used");
	if (x->kernel_errno != 0)
		fprintf(out, "; kernel functions: refused (%s)",
		    strerror(x->kernel_errno));
}

static void
footer_interval(FILE *out, uint64_t low, uint64_t high)
{
	fprintf(out, " every ");
	if (low < high)
		fprintf(out, "%.1f to ", (double)low / 1e6);
	fprintf(out, "%.1f ms", (double)high / 1e6);
}

/*
 * Returns whether any process had a clock.  If not, there is nothing to compare
 * with the kernel's CPU time.
 */
static bool
used_any_clock(const struct footer *x)
{
	return x->coarse_seen != 0 || x->sample_ns != 0 || used_fine_clock(x);
}

static void
footer_clocks(FILE *out, const struct footer *x)
{
	static const char *const coarse[] = {
		[FORMAT_COARSE_CPU] = "thread CPU time",
		[FORMAT_COARSE_USER] = "thread user time",
		[FORMAT_COARSE_PROCESS] = "process timer",
	};
	const char *between = "";

	fprintf(out, "clocks: coarse: ");
	for (unsigned i = FORMAT_COARSE_CPU; i <= FORMAT_COARSE_PROCESS; i++) {
		if ((x->coarse_seen & 1u << i) == 0)
			continue;
		fprintf(out, "%s%s", between, coarse[i]);
		between = " and ";
	}
	if (*between == '\0')
		fprintf(out, "none");
	else
		footer_interval(out, x->tick_low, x->tick_high);
	if (x->coarse_errno != 0)
		fprintf(out, " (thread timer refused: %s)",
		    strerror(x->coarse_errno));
	footer_fine(out, x);
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
footer_time(FILE *out, const struct model *m, const struct footer *x)
{
	if (x->known == 0 && x->all_ns > x->seen_ns)
		fprintf(out, "CPU time: %.3f s in samples, %.3f s by the "
		    "kernel when last asked", ns_to_seconds(x->seen_ns),
		    ns_to_seconds(x->all_ns));
	else if (x->known == 0)
		fprintf(out, "CPU time: %.3f s in samples, not known from the "
		    "kernel%s", ns_to_seconds(x->seen_ns), x->some_threads ?
		    " for these threads alone" : "");
	else if (x->known < x->processes)
		fprintf(out, "CPU time: %.3f s; of %zu of %zu %s the "
		    "kernel tells it: ", ns_to_seconds(x->all_ns), x->known,
		    x->processes, x->processes == m->pid_count ?
		    "processes" : "images");
	else
		fprintf(out, "CPU time: ");
	if (x->known != 0 && !used_any_clock(x))
		fprintf(out, "%.3f s by the kernel, not sampled",
		    ns_to_seconds(x->cpu_ns));
	else if (x->known != 0)
		fprintf(out, "%.3f s by the kernel, %.3f s in samples "
		    "(%+.1f %%)", ns_to_seconds(x->cpu_ns),
		    ns_to_seconds(x->sample_ns), footer_percent(x->sample_ns,
		    x->cpu_ns) - 100);
	if (x->scaled_ns >= SCALED_LEAST)
		fprintf(out, "; samples stood for %.3f s more and are scaled "
		    "to it", ns_to_seconds(x->scaled_ns));
	if (x->over_ns != 0)
		fprintf(out, "; %.3f s more in samples than used",
		    ns_to_seconds(x->over_ns));
	if (x->stopped_ns != 0)
		fprintf(out, "; %.3f s more passed while stopped",
		    ns_to_seconds(x->stopped_ns));
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
	    ns_to_seconds(m->unseen_ns));
	if (!m->whole) {
		fprintf(out, ", not in this report of single files\n");
		return;
	}
	if (m->unseen_processes != 0)
		fprintf(out, ": %" PRIu64 " %s too short to sample%s, or not "
		    "under libmon;", m->unseen_processes,
		    m->unseen_processes == 1 ? "was" : "were",
		    m->losses[LOSS_CHILD_FILE] != 0 ? ", without a file" : "");
	else
		fprintf(out, ":");
	fprintf(out, " of others, the time before their start and after "
	    "their end%s\n", m->losses[LOSS_IMAGE_FILE] != 0 ?
	    ", and of programs executed where no file could be created" : "");
}

/*
 * Returns whether some time was measured by the scheduler's tick alone.  A
 * thread that sleeps, or shares its processor, may run only between two ticks,
 * and no number of samples shows that.
 */
static bool
used_coarse_only(const struct footer *x)
{
	return !used_fine_clock(x) || (x->fine_seen &
	    (1u << FORMAT_FINE_SWITCHING | 1u << FORMAT_FINE_REFUSED |
	    1u << FORMAT_FINE_SECCOMP)) != 0;
}

static void
footer_error(FILE *out, const struct model *m, const struct group *g,
    const struct footer *x)
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
	    most->count, footer_plural(most->count), points,
	    x->coarse_seen != 0 && used_coarse_only(x) ?
	    ", unless threads ran in step with the scheduler's tick" : "");
}

static void
footer_cost(FILE *out, const struct model *m, const struct footer *x)
{
	if (m->ticks == 0 || !(m->cost_ns > 0))
		return;
	/* A file has these sums for all of its threads together. */
	fprintf(out, "cost: %" PRIu64 " tick%s%s took %.3f s", m->ticks,
	    footer_plural(m->ticks), x->some_threads ? " of all threads" : "",
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
	struct footer x = { .period_low = UINT64_MAX, .asked_low = UINT64_MAX,
		.budget_low = UINT64_MAX, .tick_low = UINT64_MAX };

	x.some_threads = filter_is_on(m->filter, FILTER_THREAD);
	for (size_t i = 0; i < m->process_count; i++)
		footer_add_process(&x, &m->processes[i]);
	for (size_t i = 0; i < m->thread_count; i++)
		x.threads += !m->processes[m->threads[i].process].foreign;
	fprintf(t->out, "\n%s", term_on(t, TERM_DIM));
	if (g->hidden != 0)
		fprintf(t->out, "%zu more line%s not shown, %.3f s (%.1f %%)\n",
		    g->hidden, footer_plural(g->hidden), model_signed_time(m,
		    g->hidden_ns) / 1e9, signed_percent(m, g, g->hidden_ns));
	if (g->count == 0)
		fprintf(t->out, "%s\n", m->row_count == 0 &&
		    filter_first_unmatched(m->filter, m->met) == FILTER_KINDS ?
		    "no time was counted" : "nothing is of what was asked");
	provenance_print(t->out, m);
	tprof_footer_print(t, m);
	skipped_footer_print(t, m);
	if (m->files != m->files_foreign) {
		footer_files(t->out, m, &x);
		footer_rate(t->out, m, &x);
		footer_clocks(t->out, &x);
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
		    "them\n", used_any_clock(&x) ? ", too" : "");
	footer_losses(t->out, m);
	tprof_footer_losses(t, m);
	unresolved_modules_print(t, m);
	fputs(term_off(t), t->out);
}

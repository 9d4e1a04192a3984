/*
 * Context: O.  Prints where elapsed time went, for report_head.c; the table of
 * sleep asks for the time of waiting.  See elapsed_sums.h.
 */
#include "report/elapsed_sums.h"

#include "base/plural.h"
#include "report/footer_sums.h"

/*
 * 1/ELAPSED_ERROR of the lives: if less than that is not known to be waiting or
 * sleep, it becomes an error of both
 */
#define ELAPSED_ERROR	50u
/*
 * ns: less than ELAPSED_NOTHING prints as 0.00 s; shorter lives than
 * ELAPSED_LEAST are worth no line
 */
#define ELAPSED_NOTHING	5000000u
#define ELAPSED_LEAST	10000000u

/*
 * The sums of all processes, in ns: lived = cpu + waiting + asleep + either.
 * either: threads had no processor, and it is not known why.
 */
struct elapsed_sums {
	uint64_t lived, cpu, waiting, asleep, either;
	uint64_t error;		/* of waiting and of asleep */
	/* the most that the quota of some process's control group took */
	uint64_t throttled;
	uint32_t throttles;
	size_t lives, unseen;	/* threads */
	size_t known, processes;
	/* why some of `either` is not known */
	bool running, unsealed, refused;
	bool wall;	/* a process counted sleep: it asks threads that end */
};

/* Returns the difference, 0 if it would be below zero. */
static uint64_t
less(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/*
 * Keeps the throttling of the process that has most: processes of one control
 * group have the same.
 */
static void
add_throttling(struct elapsed_sums *x, const struct model_process *p)
{
	if ((p->sums & FORMAT_SUMS_QUOTA) == 0 ||
	    p->throttle_ns <= x->throttled)
		return;
	x->throttled = p->throttle_ns;
	x->throttles = p->throttles;
}

/*
 * Adds a process of libmon.so; one whose file does not say how long its threads
 * lived is only counted.
 */
static void
add_process(struct elapsed_sums *x, const struct model_process *p)
{
	const bool final = (p->sums & FORMAT_SUMS_FINAL) != 0;
	const uint64_t cpu = p->cpu_ns + p->stopped_ns;
	uint64_t off;

	x->processes++;
	if (p->lived_ns == 0)
		return;
	x->known++;
	x->cpu += cpu;
	x->waiting += p->delay_ns;
	/* without a processor, and not known to have waited for one */
	off = less(p->lived_ns, cpu + p->delay_ns);
	x->either += final && p->unasked_ns < off ? p->unasked_ns : off;
	x->asleep += final ? less(off, p->unasked_ns) : 0;
	x->lives += p->lives;
	x->unseen += p->unseen;
	x->running |= p->life == MODEL_RUNNING;
	x->unsealed |= !final && p->life != MODEL_RUNNING;
	x->refused |= (p->sums & FORMAT_SUMS_REFUSED) != 0;
	x->wall |= p->wall;
	add_throttling(x, p);
}

/* Makes what is not told apart an error of the two terms that it may be in. */
static void
spread_unknown(struct elapsed_sums *x)
{
	x->error = x->either / 2;
	x->waiting += x->either / 2;
	x->asleep += x->either - x->either / 2;
	x->either = 0;
}

static struct elapsed_sums
sum_processes(const struct model *m)
{
	struct elapsed_sums x = { 0 };

	for (size_t i = 0; i < m->process_count; i++)
		if (!m->processes[i].foreign)
			add_process(&x, &m->processes[i]);
	x.lived = x.cpu + x.waiting + x.asleep + x.either;
	if (x.either < x.lived / ELAPSED_ERROR)
		spread_unknown(&x);
	return x;
}

/* Returns why x->either is not told apart. */
static const char *
reason_unknown(const struct elapsed_sums *x)
{
	return x->running ? "it still runs" :
	    x->unsealed ? "no last reading, as after a kill" :
	    x->refused ? "the kernel does not say which" :
	    x->lives <= x->known ? "before the first sample" :
	    x->wall ? "of threads that ended soon" :
	    "of threads that ended; prof record --wall tells which";
}

/* Prints what was left out of the sums. */
static void
print_left_out(FILE *out, const struct elapsed_sums *x)
{
	if (x->known < x->processes)
		fprintf(out, " (%zu of %zu processes)", x->known, x->processes);
	if (x->unseen != 0)
		fprintf(out, " (without the sleep of %zu thread%s whose birth "
		    "or end was not seen)", x->unseen,
		    plural_suffix(x->unseen));
}

/* Prints the terms behind the '=', and what they leave out. */
static void
print_terms(FILE *out, const struct elapsed_sums *x)
{
	const bool unknown = x->either >= ELAPSED_NOTHING;

	fprintf(out, " = %.2f s CPU", footer_sums_seconds(x->cpu));
	if (!unknown || x->waiting >= ELAPSED_NOTHING)
		fprintf(out, " + %s%.2f s waiting for a processor", unknown ?
		    "at least " : "", footer_sums_seconds(x->waiting));
	if (!unknown || x->asleep >= ELAPSED_NOTHING)
		fprintf(out, " + %.2f s asleep",
		    footer_sums_seconds(x->asleep));
	if (unknown)
		fprintf(out, " + %.2f s waiting or asleep (%s)",
		    footer_sums_seconds(x->either), reason_unknown(x));
	if (x->error >= ELAPSED_NOTHING)
		fprintf(out, " (+-%.2f s)", footer_sums_seconds(x->error));
	print_left_out(out, x);
	putc('\n', out);
}

void
elapsed_sums_print(FILE *out, const struct model *m, uint64_t elapsed)
{
	const struct elapsed_sums x = sum_processes(m);

	if (x.lived < ELAPSED_LEAST || elapsed == 0)
		return;
	if (x.lives == 1)
		fprintf(out, "%.2f s", footer_sums_seconds(x.lived));
	else
		fprintf(out, "%.2f s x %.2f threads",
		    footer_sums_seconds(elapsed),
		    (double)x.lived / (double)elapsed);
	print_terms(out, &x);
	if (x.throttled >= ELAPSED_NOTHING)
		fprintf(out, "a CPU quota stopped the control group for %.2f s "
		    "in %u period%s\n", footer_sums_seconds(x.throttled),
		    x.throttles, plural_suffix(x.throttles));
}

bool
elapsed_sums_too_short(const struct model *m)
{
	for (size_t i = 0; i < m->process_count; i++) {
		const struct model_process *p = &m->processes[i];

		if (!p->foreign && p->life != MODEL_RUNNING &&
		    (p->sums & FORMAT_SUMS_FINAL) == 0 && p->lived_ns != 0 &&
		    p->cpu_ns + p->stopped_ns > p->lived_ns +
		    ELAPSED_LEAST)
			return true;
	}
	return false;
}

bool
elapsed_sums_mostly_asleep(const struct model *m)
{
	const struct elapsed_sums x = sum_processes(m);

	return x.asleep >= ELAPSED_LEAST && x.asleep > x.cpu;
}

size_t
elapsed_sums_threads(const struct model *m)
{
	const struct elapsed_sums x = sum_processes(m);

	return x.known == x.processes ? x.lives : 0;
}

/* Returns whether the report is of less than all time of its processes. */
static bool
is_part_of_processes(const struct model *m)
{
	for (int kind = FILTER_THREAD; kind < FILTER_KINDS; kind++)
		if (filter_is_on(m->filter, (enum filter_kind)kind))
			return true;
	return false;
}

struct elapsed_waiting
elapsed_sums_waiting(const struct model *m)
{
	const struct elapsed_sums x = sum_processes(m);

	if (is_part_of_processes(m))
		return (struct elapsed_waiting){ 0 };
	return (struct elapsed_waiting){
		.ns = x.waiting,
		.error = x.error >= ELAPSED_NOTHING ? x.error : 0,
		.least = x.either >= ELAPSED_NOTHING || x.known < x.processes,
	};
}

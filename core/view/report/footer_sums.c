/*
 * Context: O.  Sums over all processes, for the head and the foot of a report;
 * see footer_sums.h.
 */
#include "report/footer_sums.h"

static void
extend_range(uint64_t value, uint64_t *low, uint64_t *high)
{
	if (value < *low)
		*low = value;
	if (value > *high)
		*high = value;
}

/*
 * Returns the interval of the coarse clock: the scheduler's tick, or the
 * interval asked for if that is longer and no fine clock was asked for.
 */
static uint64_t
coarse_interval_ns(const struct model_process *p)
{
	uint64_t asked = p->asked_hz == 0 ? 0 : 1000000000u / p->asked_hz;

	return p->period_ns == 0 && asked > p->tick_ns ? asked : p->tick_ns;
}

/*
 * Adds a process of libmon.so.  One that was killed is not among the known
 * ones, nor in their sums.
 */
static void
add_process(struct footer_sums *x, const struct model_process *p)
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
		if (p->budget_ns == FORMAT_NO_BUDGET)
			x->started = true;
		else
			extend_range(p->budget_ns, &x->budget_low,
			    &x->budget_high);
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

void
footer_sums_make(struct footer_sums *x, const struct model *m)
{
	*x = (struct footer_sums) {
		.some_threads = filter_is_on(m->filter, FILTER_THREAD),
		.tick_low = UINT64_MAX, .period_low = UINT64_MAX,
		.budget_low = UINT64_MAX, .asked_low = UINT64_MAX,
	};
	for (size_t i = 0; i < m->process_count; i++)
		add_process(x, &m->processes[i]);
	for (size_t i = 0; i < m->thread_count; i++)
		x->threads += !m->processes[m->threads[i].process].foreign;
}

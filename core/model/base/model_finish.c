/*
 * Context: O.  Completes the model after the last file: CPU time without
 * samples, mean weights, the order of rows.  read_inputs() calls it, and those
 * that read files without it (prof --embed, name cache, tprof analyze).
 */
#include "base/model.h"
#include "base/model_rows.h"
#include "base/negative_time.h"
#include "base/unprofiled_time.h"

#include <errno.h>

/*
 * Returns how much of the CPU time without samples, `rest` ns, is the kernel's,
 * in ns.  With a fine clock all user time has samples, so the rest is the
 * kernel's.  In a process that has ended it is not more than the system time
 * that the kernel reports, plus five scheduler ticks, as the kernel measures
 * that time by sampling.  Returns 0 without a fine clock, and for a truncated
 * file, whose samples are missing.
 */
static uint64_t
kernel_rest_ns(const struct model_process *p, uint64_t rest)
{
	const uint64_t most = p->system_ns + 5 * p->tick_ns;

	if (p->cut || (p->fine_seen & (1u << FORMAT_FINE_ON |
	    1u << FORMAT_FINE_DONE)) == 0)
		return 0;
	return p->life != MODEL_ENDED || rest < most ? rest : most;
}

/*
 * Adds a row of kind MODEL_REST unless ns is 0.  process: index; no process of
 * the model: the row has none.  Returns 0 or -ENOMEM.
 */
static int
add_rest_row(struct model *m, size_t process, uint32_t module, uint64_t ns)
{
	struct model_row row = {
		.kind = MODEL_REST,
		.process = MODEL_NONE,
		.thread = MODEL_NONE,
		.module = module,
		.ns = ns,
	};

	if ((m->keep & MODEL_KEEP_PROCESS) && process < m->process_count)
		row.process = (uint32_t)process;
	return ns == 0 ? 0 : model_add_row(m, &row);
}

/* Returns whether two rows have samples of one kind at one address. */
static bool
rows_have_one_place(const struct model_row *a, const struct model_row *b)
{
	return a->module == b->module && a->address == b->address &&
	    a->kind == b->kind;
}

/*
 * Computes m->mean_weight, and m->clump: how unevenly weights are spread.  If
 * weights differ, fewer samples of equal weight would be as accurate.  Our
 * files have the sum of squared weights for that; files of other profilers do
 * not.  Rows of one place, which are neighbours in the order of
 * model_rows_sort(), count as one: so the errors of a view are the same whether
 * it keeps stacks, threads and processes or not.  A row can have time without
 * a sample: the backlog of other rows.
 */
static void
compute_mean_weight(struct model *m)
{
	double squares = 0, ns = 0;

	m->clump = 1;
	if (model_is_heap(m))
		return;
	for (size_t i = 0, next; i < m->row_count; i = next) {
		double own = 0, count = 0;

		for (next = i; next < m->row_count && rows_have_one_place(
		    &m->rows[i], &m->rows[next]); next++) {
			own += (double)m->rows[next].ns;
			count += (double)m->rows[next].count;
		}
		if (count == 0 || !model_is_cpu(m->rows[i].kind))
			continue;
		squares += own * own / count;
		ns += own;
	}
	if (ns <= 0)
		return;
	if (m->squares > squares)
		m->clump = m->squares / squares;
	m->mean_weight = m->clump * squares / ns;
}

/*
 * Adds rows for the CPU time of a process that no sample stands for.  Returns 0
 * or -ENOMEM.
 */
static int
add_unsampled_time(struct model *m, size_t process)
{
	struct model_process *p = &m->processes[process];
	uint64_t rest, kernel;

	/*
	 * A process that has not sealed its profile read the kernel's figure
	 * for the last time before its last samples.
	 */
	if (p->life != MODEL_ENDED && p->cpu_ns < p->sample_ns)
		p->cpu_ns = p->sample_ns;
	/*
	 * With a filter of threads, the part of the rest that is theirs is not
	 * known.
	 */
	if (p->cpu_ns <= p->sample_ns || model_is_heap(m) ||
	    filter_is_on(m->filter, FILTER_THREAD))
		return 0;
	rest = p->cpu_ns - p->sample_ns;
	kernel = kernel_rest_ns(p, rest);
	return add_rest_row(m, process, MODEL_MODULE_KERNEL, kernel) != 0 ?
	    -ENOMEM : add_rest_row(m, process, MODEL_MODULE_REST,
	    rest - kernel);
}

int
model_finish(struct model *m)
{
	for (size_t i = 0; i < m->process_count; i++)
		if (add_unsampled_time(m, i) != 0)
			return -ENOMEM;
	if (unprofiled_time_find(m) != 0 || (m->whole && add_rest_row(m,
	    m->process_count, MODEL_MODULE_UNPROFILED, m->unseen_ns) != 0))
		return -ENOMEM;
	if (model_rows_sort(m) != 0)
		return -ENOMEM;
	compute_mean_weight(m);
	return negative_time_drop(m);
}

/*
 * Context: O.  Computes the CPU time of child processes that is in no profile,
 * for model_finish(): links each process to the process whose kernel figures
 * include its time, and subtracts what profiles account for.
 */
#include "base/unprofiled_time.h"

#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

/*
 * Two clocks that differ by less, in ns, are one: the real time may have been
 * set between the readings.
 */
#define CLOCK_STEP	10000000000

/* A process, with all its images. */
struct node {
	const struct model_process *first, *last;	/* images */
	uint64_t counted_ns;	/* CPU time that the report has of it, ns */
	/* CPU time between its images: of execve(2) and of the loader, ns */
	uint64_t between_ns;
	/* CPU time of descendants while it was profiled, ns */
	uint64_t children_ns;
	uint64_t children;	/* number of processes that it made */
	uint64_t profiled;	/* those of `children` that have a profile */
	/* CLOCK_MONOTONIC when these figures were read */
	uint64_t end_mono;
	/* its figures include time that was not counted */
	bool left_out;
	bool orphan;		/* the profile of its parent is missing */
	/*
	 * index of the process whose figures include it; its own index = none
	 */
	size_t waiter;
};

struct process_forest {
	struct node *nodes;	/* sorted by compare_processes() */
	size_t count;
};

/* Orders processes by boot, pid namespace, pid and start. */
static int
compare_processes(const struct model_process *a, const struct model_process *b)
{
	int d = memcmp(a->boot_id, b->boot_id, sizeof(a->boot_id));

	if (d == 0)
		d = compare_u64(a->pid_namespace, b->pid_namespace);
	if (d == 0)
		d = compare_u64(a->pid, b->pid);
	return d != 0 ? d : compare_u64(a->start_ticks, b->start_ticks);
}

/* Orders the images of a process by time. */
static int
compare_images(const void *left, const void *right)
{
	const struct model_process *const *a = left, *const *b = right;
	int d = compare_processes(*a, *b);

	if (d == 0)
		d = compare_u64((*a)->children_birth_ns,
		    (*b)->children_birth_ns);
	return d != 0 ? d : compare_u64((*a)->birth_real, (*b)->birth_real);
}

/* Returns the CPU time that the report has of an image. */
static uint64_t
image_cpu(const struct model_process *p)
{
	return (p->cpu_ns > p->sample_ns ? p->cpu_ns : p->sample_ns) +
	    p->stopped_ns;
}

/* Adds an image to its process; images come in the order of time. */
static void
add_image_figures(struct node *n, const struct model_process *p)
{
	const uint64_t before = n->last == NULL ? p->birth_cpu :
	    n->last->birth_cpu + image_cpu(n->last);

	if (p->birth_cpu > before)
		n->between_ns += p->birth_cpu - before;
	n->last = p;
	n->counted_ns += image_cpu(p);
	if (p->children_ns > n->first->children_birth_ns)
		n->children_ns = p->children_ns - n->first->children_birth_ns;
	n->children += p->children;
	if (n->end_mono < p->last_mono)
		n->end_mono = p->last_mono;
	n->left_out |= p->anew || p->stopped_ns != 0;
}

/*
 * Makes a node for each process with profiles of libmon.so.  Returns 0 or
 * -ENOMEM; the caller frees t->nodes in either case.
 */
static int
make_process_nodes(struct process_forest *t, const struct model *m)
{
	const struct model_process **all = calloc(m->process_count + 1,
	    sizeof(*all));
	size_t count = 0;

	t->nodes = calloc(m->process_count + 1, sizeof(*t->nodes));
	if (all == NULL || t->nodes == NULL) {
		free(all);
		return -ENOMEM;
	}
	for (size_t i = 0; i < m->process_count; i++)
		if (!m->processes[i].foreign)
			all[count++] = &m->processes[i];
	if (count > 1)
		qsort(all, count, sizeof(*all), compare_images);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || compare_processes(all[i - 1], all[i]) != 0)
			t->nodes[t->count++].first = all[i];
		add_image_figures(&t->nodes[t->count - 1], all[i]);
	}
	free(all);
	return 0;
}

/*
 * Returns the last process with the parent's pid that started before the child.
 */
static struct node *
find_parent_process(const struct process_forest *t,
    const struct model_process *child)
{
	struct model_process key = *child;
	size_t low = 0, high = t->count;

	key.pid = child->ppid;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_processes(t->nodes[middle].first, &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || key.pid == child->pid)
		return NULL;
	key.start_ticks = t->nodes[low - 1].first->start_ticks;
	return compare_processes(t->nodes[low - 1].first, &key) == 0 ?
	    &t->nodes[low - 1] : NULL;
}

/*
 * Returns whether the parent ended first.  In that case no process that we know
 * has waited for the child.
 */
static bool
is_abandoned(const struct node *n)
{
	return n->last->end_ppid != 0 && n->last->end_ppid != n->first->ppid;
}

/*
 * Returns by how much the clock CLOCK_MONOTONIC of one process is ahead of
 * another's, which is in another time namespace then; 0: they have one clock.
 */
static int64_t
clock_difference(const struct model_process *a, const struct model_process *b)
{
	const int64_t d = (int64_t)(a->birth_mono - a->birth_real -
	    (b->birth_mono - b->birth_real));

	return d > CLOCK_STEP || d < -CLOCK_STEP ? d : 0;
}

/* Returns whether n had ended when the figures of `other` were read. */
static bool
has_ended_before(const struct node *n, const struct node *other)
{
	return n->last->life != MODEL_RUNNING && n->end_mono -
	    (uint64_t)clock_difference(n->last, other->last) <=
	    other->end_mono;
}

/* Sets `waiter`, `orphan` and `profiled` from the parents of processes. */
static void
find_waiters(struct process_forest *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct node *n = &t->nodes[i];
		struct node *parent = find_parent_process(t, n->first);

		n->waiter = i;
		n->orphan = parent == NULL;
		if (parent == NULL)
			continue;
		parent->profiled++;
		if (has_ended_before(n, parent) && !is_abandoned(n))
			n->waiter = (size_t)(parent - t->nodes);
	}
}

/*
 * Returns whether a was made outside its pid namespace: the leader of its
 * session is not in it.
 */
static bool
is_from_outside(const struct model_process *a, const struct model_process *b)
{
	return a->pid_namespace != b->pid_namespace && a->pid_namespace != 0 &&
	    b->pid_namespace != 0 && a->session == 0;
}

/*
 * Returns whether n is a descendant of `other`.  The processes between them may
 * have no profile.  n is a descendant if `other` was alive for all of n's life,
 * in the same session, and is not another child of n's own parent; or if n came
 * from another pid namespace, where pids and sessions cannot be compared.
 */
static bool
is_descendant(const struct node *n, const struct node *other)
{
	const struct model_process *a = n->first, *b = other->first;

	return n->orphan && !is_abandoned(n) && other->children_ns != 0 &&
	    (is_from_outside(a, b) || (a->session == b->session &&
	    a->ppid != b->ppid && a->pid_namespace == b->pid_namespace)) &&
	    memcmp(a->boot_id, b->boot_id, sizeof(a->boot_id)) == 0 &&
	    b->start_ticks <= a->start_ticks && n != other &&
	    has_ended_before(n, other);
}

/* Sets the waiters of orphans among the processes tops[0..count). */
static void
find_other_waiters(struct process_forest *t, const size_t *tops, size_t count)
{
	for (size_t i = 0; i < t->count; i++) {
		struct node *n = &t->nodes[i];

		for (size_t k = 0; k < count && n->waiter == i; k++) {
			struct node *top = &t->nodes[tops[k]];

			if (!is_descendant(n, top))
				continue;
			n->waiter = tops[k];
			/*
			 * The first process of a pid namespace has no parent in
			 * it.
			 */
			top->profiled += n->first->ppid == 0 &&
			    is_from_outside(n->first, top->first);
		}
	}
}

/*
 * Finds the waiters of orphans: processes that have figures of children and
 * whose own time is in no other process's figures.  Returns 0 or -ENOMEM.
 */
static int
find_top_processes(struct process_forest *t)
{
	size_t *tops = calloc(t->count + 1, sizeof(*tops));
	size_t count = 0;

	if (tops == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].waiter == i && t->nodes[i].children_ns != 0)
			tops[count++] = i;
	find_other_waiters(t, tops, count);
	free(tops);
	return 0;
}

/*
 * Returns the process at the end of the chain of waiters.  Only hostile files
 * make circles of processes; the bound on the loop ends those.
 */
static struct node *
find_top_process(struct process_forest *t, size_t at)
{
	for (size_t i = 0; i < t->count && t->nodes[at].waiter != at; i++)
		at = t->nodes[at].waiter;
	return &t->nodes[at];
}

/* Adds to m->unseen_ns and m->unseen_processes. */
static void
sum_unprofiled(struct model *m, struct process_forest *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct node *n = &t->nodes[i], *top = find_top_process(t, i);

		if (n->children > n->profiled)
			m->unseen_processes += n->children - n->profiled;
		if (top == n)
			continue;
		top->children_ns -= top->children_ns < n->counted_ns ?
		    top->children_ns : n->counted_ns;
	}
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].waiter == i && !t->nodes[i].left_out)
			m->unseen_ns += t->nodes[i].children_ns +
			    t->nodes[i].between_ns;
}

int
unprofiled_time_find(struct model *m)
{
	struct process_forest t = { 0 };
	int ret;

	if (model_is_heap(m) || filter_is_on(m->filter, FILTER_PID) ||
	    filter_is_on(m->filter, FILTER_PROGRAM) ||
	    filter_is_on(m->filter, FILTER_THREAD))
		return 0;
	ret = make_process_nodes(&t, m);
	if (ret == 0) {
		find_waiters(&t);
		ret = find_top_processes(&t);
	}
	if (ret == 0)
		sum_unprofiled(m, &t);
	free(t.nodes);
	return ret;
}

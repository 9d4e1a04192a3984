/*
 * Context: O.  Finds the time that threads slept until they got a lock, where
 * sleep was recorded.  findings.c calls finding_add_locks(); see
 * finding_kinds.h.
 */
#include "base/sleep_reason.h"
#include "findings/caller_sums.h"
#include "findings/finding_kinds.h"

#include <errno.h>

/*
 * Returns whether the function waits for a mutex or another lock.  Waits for
 * conditions and semaphores are not meant: most of them are idle threads.
 */
static bool
waits_for_lock(const struct model *m, uint32_t function)
{
	const struct model_function *f = &m->functions[function];

	return f->named && sleep_reason_of(f->name) == SLEEP_LOCK;
}

static bool
is_sleep(const struct model_row *r)
{
	return r->kind == FORMAT_SLEEP;
}

/* Prints the function that waited longest, and how long. */
static void
put_longest(FILE *out, struct model *m, const struct finding_sum *callers)
{
	uint32_t most = 0;

	for (uint32_t i = 1; i < m->function_count; i++)
		if (callers[i].ns > callers[most].ns)
			most = i;
	if (m->function_count == 0 || callers[most].ns == 0)
		return;
	fputs(", most by ", out);
	finding_put_function(out, m, most);
	fprintf(out, " (%.3f s)", (double)callers[most].ns / 1e9);
}

/* Most profiles have no sleep, and then no function need be looked at. */
static bool
has_sleep(const struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++)
		if (is_sleep(&m->rows[i]))
			return true;
	return false;
}

/* Adds the finding if it is long enough beside the CPU time. */
static int
add_lock_finding(struct finding_list *l, const struct caller_sums *s)
{
	struct finding_text t;

	/* Threads may sleep for ever: only beside the CPU time is it much. */
	if (finding_percent(l, s->all.ns) < FINDING_LEAST || s->all.count == 0)
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs("asleep until a lock was free", t.out);
	put_longest(t.out, l->model, s->callers);
	return finding_add(l, s->all, true, &t, "prof --asleep "
	    "shows who waits, and below whom.  Hold the lock for a shorter "
	    "time, use one lock for each part of the data, or share less");
}

int
finding_add_locks(struct finding_list *l)
{
	struct caller_sums s;
	int ret;

	if (!has_sleep(l->model))
		return 0;
	ret = caller_sums_make(&s, l->model, waits_for_lock, is_sleep);
	if (ret == 0)
		ret = add_lock_finding(l, &s);
	caller_sums_free(&s);
	return ret;
}

/*
 * Context: S.  Who lived when, of this process and one that left a file.
 *
 * A file has its process's end in CLOCK_MONOTONIC.  The start of this process
 * is known in CLOCK_BOOTTIME, to 10 ms, and by the time that a file is in the
 * way the machine may have been suspended.
 */
#include "lifetime.h"

#include "process.h"

#define TICK_NS	10000000u	/* of start_ticks; AT_CLKTCK is 100 on Linux */

static uint64_t
less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The file is sealed at an exec, but the process goes on. */
static bool
has_ended(const struct format_header *h)
{
	return h->state == FORMAT_SEALED && h->end != FORMAT_END_EXEC;
}

/* When it was seen last; one that was killed, by its last coarse tick. */
static uint64_t
last_sign(const struct format_header *h)
{
	if (h->state == FORMAT_SEALED)
		return h->end_mono;
	return h->cpu_mono > h->birth_mono ? h->cpu_mono : h->birth_mono;
}

/*
 * Between which times, CLOCK_MONOTONIC, this process started.  If the
 * machine was suspended since, both are too early.
 */
static void
own_start(uint64_t *from, uint64_t *to)
{
	uint64_t before = sys_clock(CLOCK_MONOTONIC);
	uint64_t boot = sys_clock(CLOCK_BOOTTIME);
	uint64_t after = sys_clock(CLOCK_MONOTONIC);
	uint64_t start = mon->start_ticks * TICK_NS;

	*from = less(start, less(boot, before));
	*to = less(start + TICK_NS, less(boot, after));
	if (mon->start_ticks == 0)
		*to = UINT64_MAX;	/* no /proc */
}

/* A later process has its pid, and had it before this one started. */
static bool
pid_given_again(const struct format_header *h)
{
	uint64_t ticks;
	int parent;

	return process_stat(h->pid, &parent, &ticks) == 0 &&
	    ticks != h->start_ticks && ticks <= mon->start_ticks;
}

bool
lifetime_is_starter(const struct format_header *h)
{
	uint64_t from, to;

	if (h->pid != mon->parent || h->start_ticks > mon->start_ticks ||
	    h->pid_namespace == 0 || h->pid_namespace != process_namespace())
		return false;
	if (!has_ended(h))
		return !pid_given_again(h);
	own_start(&from, &to);
	return last_sign(h) > from;
}

/*
 * In the 10 ms in which this one started the order is not known.  Children of
 * one parent are taken for one after the other, as a shell has them.
 */
bool
lifetime_met(const struct format_header *h)
{
	uint64_t from, to, last = last_sign(h);

	if (lifetime_is_starter(h) ||
	    (mon->forked && h->pid == lineage.image))
		return true;
	own_start(&from, &to);
	if (last <= from)
		return false;
	return last > to || h->ppid != mon->parent;
}

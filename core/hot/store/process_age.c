/*
 * Context: S.  Who lived when, of this process and one that left a file.
 *
 * A file has its process's end in CLOCK_MONOTONIC.  The start of this process
 * is known in CLOCK_BOOTTIME, to 10 ms, and by the time that a file is in the
 * way the machine may have been suspended.
 */
#include "store/process_age.h"

#include "module/proc_info.h"

#define TICK_NS	10000000u	/* of start_ticks; AT_CLKTCK is 100 on Linux */

static uint64_t
floor_difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The file is sealed at an exec, but the process goes on. */
static bool
has_writer_ended(const struct format_header *h)
{
	return h->state == FORMAT_SEALED && h->end != FORMAT_END_EXEC;
}

/* When it was seen last; one that was killed, by its last coarse tick. */
static uint64_t
last_writer_sign(const struct format_header *h)
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
own_start_range(uint64_t *from, uint64_t *to)
{
	uint64_t before = sys_clock(CLOCK_MONOTONIC);
	uint64_t boot = sys_clock(CLOCK_BOOTTIME);
	uint64_t after = sys_clock(CLOCK_MONOTONIC);
	uint64_t start = mon->start_ticks * TICK_NS;

	*from = floor_difference(start, floor_difference(boot, before));
	*to = floor_difference(start + TICK_NS, floor_difference(boot, after));
	if (mon->start_ticks == 0)
		*to = UINT64_MAX;	/* no /proc */
}

/* A later process has its pid, and had it before this one started. */
static bool
is_pid_reused(const struct format_header *h)
{
	uint64_t ticks;
	int parent;

	return proc_info_stat(h->pid, &parent, &ticks) == 0 &&
	    ticks != h->start_ticks && ticks <= mon->start_ticks;
}

bool
process_age_is_parent(const struct format_header *h)
{
	uint64_t from, to;

	if (h->pid != mon->parent || h->start_ticks > mon->start_ticks ||
	    h->pid_namespace == 0 ||
	    h->pid_namespace != proc_info_pid_namespace())
		return false;
	if (!has_writer_ended(h))
		return !is_pid_reused(h);
	own_start_range(&from, &to);
	return last_writer_sign(h) > from;
}

/*
 * In the 10 ms in which this one started the order is not known.  Children of
 * one parent are taken for one after the other, as a shell has them.
 */
bool
process_age_overlaps(const struct format_header *h)
{
	uint64_t from, to, last = last_writer_sign(h);

	if (process_age_is_parent(h) ||
	    (mon->forked && h->pid == lineage.image))
		return true;
	own_start_range(&from, &to);
	if (last <= from)
		return false;
	return last > to || h->ppid != mon->parent;
}

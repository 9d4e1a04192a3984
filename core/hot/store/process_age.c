/*
 * Context: S.  Compares the lifetime of this process with that of the process
 * that wrote a file, for profile_name.c; see process_age.h.
 *
 * A file contains the end of its process in CLOCK_MONOTONIC.  The start of this
 * process is known in CLOCK_BOOTTIME, to 10 ms.  The machine may have been
 * suspended before a file is met.
 */
#include "store/process_age.h"

#include "module/proc_info.h"

/* ns in a unit of start_ticks; AT_CLKTCK is 100 on Linux */
#define TICK_NS	10000000u

static uint64_t
floor_difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/*
 * Returns whether the writer is known to have ended.  A file is sealed at an
 * exec, but then the process goes on.
 */
static bool
has_writer_ended(const struct format_header *h)
{
	return h->state == FORMAT_SEALED && h->end != FORMAT_END_EXEC;
}

/*
 * Returns when the writer was last alive, CLOCK_MONOTONIC in ns.  For a process
 * that was killed, or whose end has no time, that is its last coarse tick.
 */
static uint64_t
last_writer_sign(const struct format_header *h)
{
	if (h->state == FORMAT_SEALED && h->end_mono != 0)
		return h->end_mono;
	return h->cpu_mono > h->birth_mono ? h->cpu_mono : h->birth_mono;
}

/*
 * Computes the two times in CLOCK_MONOTONIC between which this process started.
 * If the machine was suspended since, both are too early.  If the start is not
 * known, the range is all of time.
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

/*
 * Returns whether a later process has the writer's pid, and had it before this
 * process started.
 */
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
 * Within the 10 ms in which this process started the order is not known.
 * Children of one parent are then taken to have run one after the other, as
 * those of a shell do.
 */
bool
process_age_overlaps(const struct format_header *h)
{
	uint64_t from, to, last = last_writer_sign(h);

	if (process_age_is_parent(h) ||
	    (mon->forked && h->pid == lineage.image_pid))
		return true;
	own_start_range(&from, &to);
	if (last <= from)
		return false;
	return last > to || h->ppid != mon->parent;
}

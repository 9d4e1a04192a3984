/*
 * Context: T.  Implements profil(2) and sprofil(3) for their hooks
 * (hook_gmon.c); ticks count in the histograms (count/histogram.h).
 * doc/design/histograms.md.
 */
#include "classic/profil.h"

#include "base/profiling.h"
#include "classic/clock_demand.h"
#include "clock/cpu_timer.h"
#include "count/histogram.h"
#include "module/proc_maps.h"
#include "thread/private_fds.h"

#define UINT64_FLAG	4u		/* PROF_UINT64 of mon.h */
#define SPROFIL_FLAGS		(PROF_UINT | PROF_FAST | UINT64_FLAG)

/* A buffer: how far it can be written, and where it ends. */
struct writable_range {
	uint64_t at, end;
};

static void
extend_writable_range(const struct proc_maps_line *line, void *arg)
{
	struct writable_range *r = arg;

	if (line->writable && line->start <= r->at && r->at < line->end)
		r->at = line->end;
}

/* Reads the memory map for a range.  Must run by private_fds_run(). */
static int
read_writable_range(void *range)
{
	char line[PATH_MAX + 256];

	return proc_maps_read(0, line, sizeof(line), extend_writable_range,
	    range);
}

/*
 * Returns whether the buffer can be written, as far as /proc tells.  Behind
 * seccomp the map is not read; each count checks its counter in any case.
 */
static bool
is_writable_buffer(const void *base, size_t bytes)
{
	struct writable_range r = {(uintptr_t)base, (uintptr_t)base + bytes};

	if (r.end < r.at)
		return false;
	return bytes == 0 || atomic_load(&mon->frozen) ||
	    private_fds_run(read_writable_range, &r) != 0 || r.at >= r.end;
}

/*
 * If a thread's alternate stack is too small for ticks, only libc's own
 * functions can count.
 */
bool
profil_is_ours(void)
{
	return profiling_is_active() &&
	    atomic_load(&mon->small_stacks) == 0;
}

/*
 * Makes ticks count in `set`, which belongs to histogram.c from now on; NULL:
 * in none.  Starts or stops the clocks if that changes the need of them.
 */
static void
use_histograms(enum histogram_owner owner, struct histogram_set *set)
{
	bool idle = cpu_timer_is_idle();

	histogram_install(owner, set);
	clock_demand_apply();
	if (idle != cpu_timer_is_idle())
		cpu_timer_apply_interval();
}

static void
fill_histogram(struct histogram *h, const struct prof *p, unsigned width)
{
	h->counters = p->pr_base;
	h->bins = (struct bins){p->pr_off, p->pr_scale, p->pr_size / width,
	    width};
}

void
profil_end(void)
{
	if (profiling_is_active() && histogram_in_use()) {
		use_histograms(HISTOGRAM_PROFIL, NULL);
		use_histograms(HISTOGRAM_SPROFIL, NULL);
	}
}

int
profil_set(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	const struct prof region = {buffer, size, offset, scale};
	struct histogram_set *set = NULL;
	bool good;

	if (buffer == NULL || scale == 0) {
		use_histograms(HISTOGRAM_PROFIL, NULL);
		return 0;
	}
	good = is_writable_buffer(buffer, size & ~(size_t)1);
	if (good)
		set = histogram_make(1);
	if (set != NULL) {
		set->period = PROFIL_PERIOD;
		fill_histogram(&set->of[0], &region, sizeof(*buffer));
	}
	/* As the manual says, profiling ends if the buffer is not valid. */
	use_histograms(HISTOGRAM_PROFIL, set);
	return set != NULL ? 0 : good ? -ENOMEM : -EFAULT;
}

static unsigned
counter_bytes(unsigned flags)
{
	return (flags & UINT64_FLAG) != 0 ? 8 : (flags & PROF_UINT) != 0 ? 4 :
	    2;
}

/* Returns whether the region counts all that is in no other region. */
static bool
is_rest_region(const struct prof *p)
{
	return p->pr_off == 0 && p->pr_scale == 2;
}

/*
 * Inserts the region into the set, which is sorted by offset.  There are few of
 * them as a rule.
 */
static void
insert_region(struct histogram_set *set, unsigned filled, const struct prof *p,
    unsigned width)
{
	struct histogram *h = &set->of[filled];

	for (; h > set->of && h[-1].bins.offset > p->pr_off; h--)
		*h = h[-1];
	fill_histogram(h, p, width);
}

/* Returns the histograms of the regions, sorted by offset, or NULL. */
static struct histogram_set *
make_histograms(const struct prof *region, unsigned count, unsigned width)
{
	struct histogram_set *set = histogram_make(count);
	unsigned filled = 0;

	if (set == NULL)
		return NULL;
	for (unsigned i = 0; i < count; i++)
		if (!is_rest_region(&region[i]) && region[i].pr_scale >= 2)
			insert_region(set, filled++, &region[i], width);
	set->count = filled;
	for (unsigned i = 0; i < count; i++)
		if (is_rest_region(&region[i]) && region[i].pr_size >= width) {
			set->rest = &set->of[filled];
			fill_histogram(set->rest, &region[i], width);
			break;
		}
	return set;
}

static void
report_period(struct timeval *to, uint64_t ns)
{
	if (to == NULL)
		return;
	to->tv_sec = 0;
	to->tv_usec = (suseconds_t)(ns / 1000);
}

int
profil_set_regions(const struct prof *region, int count,
    struct timeval *period, unsigned flags)
{
	unsigned width = counter_bytes(flags);
	uint64_t ns = width == 2 ? PROFIL_PERIOD : PROFIL_SHORT_PERIOD;
	struct histogram_set *set;

	if ((flags & ~(unsigned)SPROFIL_FLAGS) != 0)
		return -EINVAL;
	report_period(period, ns);
	if (region == NULL || count <= 0) {
		use_histograms(HISTOGRAM_SPROFIL, NULL);
		return 0;
	}
	for (int i = 0; i < count; i++)
		if (region[i].pr_scale >= 2 &&
		    !is_writable_buffer(region[i].pr_base, region[i].pr_size))
			return -EFAULT;
	set = make_histograms(region, (unsigned)count, width);
	if (set == NULL)
		return -ENOMEM;
	set->period = ns;
	use_histograms(HISTOGRAM_SPROFIL, set);
	return 0;
}

/* Context: T.  profil(2) and sprofil(3); doc/internals.md, section 15. */
#include "profil.h"

#include "clock.h"
#include "coarse.h"
#include "histogram.h"
#include "maps.h"
#include "start.h"

#define UINT64_FLAG	4u		/* PROF_UINT64, mon.h */
#define FLAGS		(PROF_UINT | PROF_FAST | UINT64_FLAG)

/* How far the memory from `low` on can be written. */
struct reach {
	uint64_t at, end;
};

static void
extend(const struct maps_line *line, void *arg)
{
	struct reach *r = arg;

	if (line->writable && line->start <= r->at && r->at < line->end)
		r->at = line->end;
}

/* Behind seccomp nobody is asked; each count looks by itself anyway. */
static bool
is_writable(const void *base, size_t bytes)
{
	char line[PATH_MAX + 256];
	struct reach r = {(uintptr_t)base, (uintptr_t)base + bytes};

	if (r.end < r.at)
		return false;
	return bytes == 0 || atomic_load(&mon->frozen) ||
	    maps_read(0, line, sizeof line, extend, &r) != 0 || r.at >= r.end;
}

/* A thread on a stack that is too small for our ticks can only have libc's. */
bool
profil_can(void)
{
	start_for_program();
	return start_active() &&
	    atomic_load(&mon->small_stacks) == 0;
}

static void
use(enum histogram_owner owner, struct histograms *set)
{
	bool idle = coarse_is_idle();

	histogram_use(owner, set);
	clock_use();
	if (idle != coarse_is_idle())
		coarse_pace();
}

static void
set_histogram(struct histogram *h, const struct prof *p, unsigned width)
{
	h->counters = p->pr_base;
	h->bins = (struct bins){p->pr_off, p->pr_scale, p->pr_size / width,
	    width};
}

void
profil_leave(void)
{
	if (start_active() && histogram_in_use()) {
		use(HISTOGRAM_PROFIL, NULL);
		use(HISTOGRAM_SPROFIL, NULL);
	}
}

int
profil_set(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	const struct prof region = {buffer, size, offset, scale};
	struct histograms *set = NULL;
	bool good;

	if (buffer == NULL || scale == 0) {
		use(HISTOGRAM_PROFIL, NULL);
		return 0;
	}
	good = is_writable(buffer, size & ~(size_t)1);
	if (good)
		set = histogram_make(1);
	if (set != NULL) {
		set->period = PROFIL_PERIOD;
		set_histogram(&set->of[0], &region, sizeof *buffer);
	}
	/* The manual: profiling ends where the buffer is no good. */
	use(HISTOGRAM_PROFIL, set);
	return set != NULL ? 0 : good ? -ENOMEM : -EFAULT;
}

static unsigned
width_of(unsigned flags)
{
	return (flags & UINT64_FLAG) != 0 ? 8 : (flags & PROF_UINT) != 0 ? 4 : 2;
}

static bool
is_rest(const struct prof *p)
{
	return p->pr_off == 0 && p->pr_scale == 2;
}

/* Kept by offset as it comes; few, as a rule. */
static void
insert(struct histograms *set, unsigned filled, const struct prof *p,
    unsigned width)
{
	struct histogram *h = &set->of[filled];

	for (; h > set->of && h[-1].bins.offset > p->pr_off; h--)
		*h = h[-1];
	set_histogram(h, p, width);
}

static struct histograms *
make(const struct prof *region, unsigned count, unsigned width)
{
	struct histograms *set = histogram_make(count);
	unsigned i, filled = 0;

	if (set == NULL)
		return NULL;
	for (i = 0; i < count; i++)
		if (!is_rest(&region[i]) && region[i].pr_scale >= 2)
			insert(set, filled++, &region[i], width);
	set->count = filled;
	for (i = 0; i < count; i++)
		if (is_rest(&region[i]) && region[i].pr_size >= width) {
			set->rest = &set->of[filled];
			set_histogram(set->rest, &region[i], width);
			break;
		}
	return set;
}

static void
tell_period(struct timeval *to, uint64_t ns)
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
	unsigned width = width_of(flags);
	uint64_t ns = width == 2 ? PROFIL_PERIOD : PROFIL_SHORT_PERIOD;
	struct histograms *set;
	int i;

	if ((flags & ~(unsigned)FLAGS) != 0)
		return -EINVAL;
	tell_period(period, ns);
	if (region == NULL || count <= 0) {
		use(HISTOGRAM_SPROFIL, NULL);
		return 0;
	}
	for (i = 0; i < count; i++)
		if (region[i].pr_scale >= 2 &&
		    !is_writable(region[i].pr_base, region[i].pr_size))
			return -EFAULT;
	set = make(region, (unsigned)count, width);
	if (set == NULL)
		return -ENOMEM;
	set->period = ns;
	use(HISTOGRAM_SPROFIL, set);
	return 0;
}

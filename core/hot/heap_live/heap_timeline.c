/*
 * Context: S.  Records how the heap grows over time, at the end of counted
 * calls (alloc_count.h) and at the seal; see heap_timeline.h.  mon->growing is
 * its state, and `busy` there lets one thread at a time add a point.
 *
 * A point says what was live and what was resident.  When all places are taken,
 * of each two points in the order of time the one with less is given up, and
 * the time between two points doubles.  So there are at most
 * FORMAT_HEAP_POINTS, evenly spread over a second or over a week.  The time of
 * a point is written last, once the rest is known; readers sort by time.
 *
 * A peak that is clearly above all points becomes a point at once, whatever the
 * time, so that a large and brief one is seen.  There are as many of these as
 * there are steps of an eighth from nothing to the highest: 65 up to a
 * gigabyte.
 */
#include "heap_live/heap_timeline.h"

#include "base/str.h"
#include "heap/map_count.h"
#include "heap_live/peak.h"
#include "store/store.h"
#include "thread/private_fds.h"
#include "thread/thread_slot.h"

#define INTERVAL	1000000u	/* ns, at first: 0.5 s in all */
#define INTERVAL_NONE	1000000000u	/* ns, if the file has no room */
#define RESIDENT_SHARE	200u		/* less than 1/200 of the time */
#define LOOKS		4u		/* checks until a point is due */
#define QUIET_MOST	65536u		/* calls between checks, at most */
#define HIGH_LEAST	65536u		/* bytes between peaks, at least, */
#define HIGH_SHARE	8u		/* plus 1/8 of the last peak */

/* Returns the second number of a statm file, in bytes; 0: not known. */
static uint64_t
parse_statm(const char *path)
{
	char text[128];
	const char *p = text;
	int fd = sys_open(path, O_RDONLY, 0);
	long n;

	if (fd < 0)
		return 0;
	n = sys_read(fd, text, sizeof(text) - 1);
	sys_close(fd);
	text[n > 0 ? n : 0] = '\0';
	str_decimal(&p);
	if (*p++ != ' ')
		return 0;
	return str_decimal(&p) * config.page;
}

/*
 * Fills *bytes with what is resident, or with 0.  private_fds_run() runs it.
 * If the first thread is gone, its file shows nothing, and the calling thread's
 * is read.
 */
static int
read_resident_bytes(void *bytes)
{
	uint64_t *n = bytes;

	*n = parse_statm("/proc/self/statm");
	if (*n == 0)
		*n = parse_statm("/proc/thread-self/statm");
	return 0;
}

/*
 * Returns what is resident, or 0 if it was read too short a time ago: reading
 * is to take less than 1/RESIDENT_SHARE of the time.
 */
static uint64_t
resident_if_cheap(struct heap_timeline *g, uint64_t now)
{
	uint64_t bytes = 0, cost;

	if (now < g->resident_mono)
		return 0;
	private_fds_run(read_resident_bytes, &bytes);
	cost = sys_clock(CLOCK_MONOTONIC) - now;
	g->resident_mono = now + RESIDENT_SHARE * cost;
	return bytes;
}

/*
 * Returns the timeline in the file of l, which it makes if it is the first
 * there, or NULL if there is no room.  `busy` is held.
 */
static struct format_heap_timeline *
start_timeline(struct heap_timeline *g, struct alloc_thread *l)
{
	struct format_heap_timeline *f;

	if (g->generation == l->generation)
		return g->record == 0 ? NULL : alloc_thread_record(l,
		    g->record);
	g->generation = l->generation;
	g->count = g->spare = 0;
	g->resident_mono = 0;
	atomic_store(&g->high, 0);
	g->record = store_take_optional(sizeof(*f) +
	    FORMAT_HEAP_POINTS * sizeof(f->point[0]));
	if (g->record == 0)
		return NULL;
	f = alloc_thread_record(l, g->record);
	f->room = FORMAT_HEAP_POINTS;
	f->kind = config.blocks ? 0 : FORMAT_MAP;
	f->interval_ns = INTERVAL;
	__atomic_store_n(&l->memory->growth, g->record, __ATOMIC_RELEASE);
	return f;
}

/*
 * Gives up, of each two points in the order of time, the one with less.  Their
 * places are used again, the earliest first.
 */
static void
thin_out_points(struct heap_timeline *g, struct format_heap_timeline *f)
{
	uint16_t *o = g->order;

	for (unsigned i = 0; i < FORMAT_HEAP_POINTS; i += 2) {
		const bool second = f->point[o[i + 1]].live_bytes >
		    f->point[o[i]].live_bytes;

		g->free[(FORMAT_HEAP_POINTS - 2 - i) / 2] = o[i + !second];
		o[i / 2] = o[i + second];
	}
	g->count = g->spare = FORMAT_HEAP_POINTS / 2;
	f->interval_ns *= 2;
}

/* Returns the place of a new point; `busy` is held. */
static struct format_heap_point *
next_timeline_point(struct heap_timeline *g, struct format_heap_timeline *f)
{
	unsigned i = g->count;

	if (i == FORMAT_HEAP_POINTS) {
		thin_out_points(g, f);
		i = g->count;
	}
	if (g->spare != 0)
		i = g->free[--g->spare];
	g->order[g->count++] = (uint16_t)i;
	return &f->point[i];
}

/*
 * Sets the size from which on a peak becomes a point: clearly above `live` and
 * all points before.
 */
static void
raise_next_peak(struct heap_timeline *g, uint64_t live)
{
	const uint64_t high = live + live / HIGH_SHARE + HIGH_LEAST;

	if (high > atomic_load(&g->high))
		atomic_store(&g->high, high);
}

/* Writes a point of the time `now`; `busy` is held. */
static void
write_timeline_point(struct heap_timeline *g, struct format_heap_timeline *f,
    struct alloc_thread *l, uint64_t now)
{
	struct format_heap_point *p = next_timeline_point(g, f);

	__atomic_store_n(&p->mono, 0, __ATOMIC_RELAXED);
	atomic_thread_fence(memory_order_release);
	p->live_bytes = config.blocks ? peak_live_sum(l->generation) :
	    map_count_live();
	p->resident_bytes = resident_if_cheap(g, now);
	__atomic_store_n(&p->mono, now, __ATOMIC_RELEASE);
	raise_next_peak(g, p->live_bytes);
	atomic_store(&g->interval_ns, f->interval_ns);
	atomic_store(&g->next_mono, now + f->interval_ns);
}

/*
 * Sets an interval when the file has no room for points and will not get any.
 * Without an interval each call would read the clock with signals blocked,
 * which takes 1 us.
 */
static void
give_up_timeline(struct heap_timeline *g, uint64_t now)
{
	atomic_store(&g->high, UINT64_MAX);
	atomic_store(&g->interval_ns, INTERVAL_NONE);
	atomic_store(&g->next_mono, now + INTERVAL_NONE);
}

/* Writes a point at l->looked_mono, unless another thread is writing one. */
static void
add_timeline_point(void *arg)
{
	struct heap_timeline *g = &mon->growing;
	struct alloc_thread *l = arg;
	struct format_heap_timeline *f;

	if (!alloc_thread_is_current(l) || atomic_exchange(&g->busy, true))
		return;
	f = start_timeline(g, l);
	if (f != NULL)
		write_timeline_point(g, f, l, l->looked_mono);
	else
		give_up_timeline(g, l->looked_mono);
	atomic_store(&g->busy, false);
}

/* Returns whether the last peak is clearly above all points so far. */
static bool
is_clear_peak(const struct alloc_thread *l)
{
	const struct format_memory *m = config.blocks ? l->memory :
	    alloc_thread_record(l, atomic_load(&mon->maps));

	return m->peak_bytes > atomic_load(&mon->growing.high);
}

/*
 * Sets how many calls there are until the next check: as many as came in a part
 * of the interval, but not many more at once.
 */
static void
adapt_check_rate(struct alloc_thread *l, uint64_t before)
{
	const uint64_t took = l->looked_mono - before;
	const uint64_t part = atomic_load_explicit(&mon->growing.interval_ns,
	    memory_order_relaxed) / LOOKS;

	if (took > 16 * part)
		l->quiet_for = 1;
	else if (took > part)
		l->quiet_for -= l->quiet_for / 2;
	else if (took < part / 2 && l->quiet_for < QUIET_MOST)
		l->quiet_for *= 2;
	l->quiet = l->quiet_for;
}

/* Checks the time on the alloc_thread's own stack, with signals blocked. */
static void
check_timeline(struct alloc_thread *l)
{
	const uint64_t before = l->looked_mono;
	const bool high = is_clear_peak(l);

	l->looked_mono = sys_clock(CLOCK_MONOTONIC);
	if (high || l->looked_mono >= atomic_load(&mon->growing.next_mono))
		arch_call_on_stack(alloc_thread_stack(l), add_timeline_point,
		    l);
	if (high)
		/* this check says nothing of the rate */
		l->quiet = l->quiet_for;
	else
		adapt_check_rate(l, before);
}

void
heap_timeline_check(struct alloc_thread *l)
{
	const bool frozen = atomic_load_explicit(&mon->frozen,
	    memory_order_relaxed);
	sys_sigset before;

	if (frozen) {
		l->quiet = QUIET_MOST;
		l->inside = 0;
		return;
	}
	thread_slot_block_signals(&before);
	store_allow_retry();
	check_timeline(l);
	l->inside = 0;
	thread_slot_restore_mask(&before);
}

void
heap_timeline_finish(void)
{
	struct alloc_thread *l = alloc_thread_self;

	if (l == NULL || atomic_load(&mon->growing.next_mono) == 0)
		return;
	l->looked_mono = sys_clock(CLOCK_MONOTONIC);
	add_timeline_point(l);
}

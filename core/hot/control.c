/*
 * Context: S.  What a tool asks of the process; doc/internals.md, section 19.
 */
#include "control.h"

#include "blocks.h"
#include "coarse.h"
#include "heapway.h"
#include "lane.h"
#include "mapcount.h"
#include "peak.h"
#include "shard.h"
#include "stake.h"
#include "store.h"
#include "str.h"
#include "watch.h"

#include <errno.h>
#include <signal.h>

struct wanted {
	uint32_t number;
	bool stop;
	uint32_t modes;
	uint32_t forget;
	uint64_t interval;
	char watch[FORMAT_WATCH];
};

/* False: it is being written just now.  The next tick looks again. */
static bool
read_wanted(const struct format_header *h, struct wanted *w)
{
	w->number = __atomic_load_n(&h->asked, __ATOMIC_ACQUIRE);
	w->stop = __atomic_load_n(&h->ask_stop, __ATOMIC_RELAXED) != 0;
	w->modes = __atomic_load_n(&h->ask_modes, __ATOMIC_RELAXED);
	w->interval = __atomic_load_n(&h->ask_interval_ns, __ATOMIC_RELAXED);
	w->forget = __atomic_load_n(&h->ask_forget, __ATOMIC_RELAXED);
	str_copy(w->watch, h->ask_watch, sizeof w->watch);
	atomic_thread_fence(memory_order_acquire);
	return w->number % 2 == 0 &&
	    __atomic_load_n(&h->asked, __ATOMIC_RELAXED) == w->number;
}

static uint32_t
modes_now(void)
{
	return (lineage_is(LINEAGE_NO_TIME) ? 0 : FORMAT_MODE_TIME) |
	    (lineage_is(LINEAGE_NO_HEAP) ? 0 : FORMAT_MODE_MEMORY);
}

static uint64_t
untimed_now(void)
{
	return (lineage_is(LINEAGE_STOPPED) ? FORMAT_STOPPED : 0) |
	    (lineage_is(LINEAGE_NO_TIME) ? FORMAT_TIMELESS : 0);
}

/* Stopped, its heap may go on at any time: so its ways are led to us. */
static bool
can_have_modes(uint32_t modes)
{
	return modes != 0 &&
	    (modes & ~(FORMAT_MODE_TIME | FORMAT_MODE_MEMORY)) == 0 &&
	    ((modes & FORMAT_MODE_MEMORY) == 0 || heap_begin());
}

static void
pause_as(bool stop, uint32_t modes)
{
	lineage_pause(LINEAGE_NO_HEAP, (modes & FORMAT_MODE_MEMORY) == 0);
	lineage_pause(LINEAGE_NO_TIME, (modes & FORMAT_MODE_TIME) == 0);
	shard_pause(LINEAGE_STOPPED, stop);
}

/* One word, so that who reads it has both. */
static void
switch_to(struct format_header *h, bool stop, uint32_t modes)
{
	uint64_t now = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t ns = h->stopped_ns & ~FORMAT_UNTIMED;
	bool before = lineage_is(LINEAGE_UNTIMED);

	pause_as(stop, modes);
	h->modes = modes;
	if (before != lineage_is(LINEAGE_UNTIMED))
		ns = now - ns;
	__atomic_store_n(&h->stopped_ns, ns | untimed_now(),
	    __ATOMIC_RELEASE);
}

static unsigned
rounded_hz(uint64_t interval)
{
	uint64_t hz = interval == 0 ? 0 : (1000000000u + interval / 2) /
	    interval;

	return interval != 0 && hz == 0 ? 1 : (unsigned)hz;
}

static void
show_rate(struct format_header *h)
{
	h->interval_ns = atomic_load(&lineage.interval);
	h->asked_hz = rounded_hz(h->interval_ns);
	h->period_ns = config_period();
	h->budget_ns = config_budget();
	h->later_ns = config_later();
}

void
control_fill(struct format_header *h)
{
	h->modes = h->ask_modes = modes_now();
	h->first_modes = (config.time ? FORMAT_MODE_TIME : 0) |
	    (config.heap ? FORMAT_MODE_MEMORY : 0);
	h->ask_interval_ns = atomic_load(&lineage.interval);
	str_copy(h->ask_watch, watch_list(), sizeof h->ask_watch);
	str_copy(h->watch, watch_list(), sizeof h->watch);
	h->first_interval_ns = config.hz == 0 ? 0 : 1000000000u / config.hz;
	h->kick_signal = (uint32_t)control_kick_signal();
	h->ask_stop = lineage_is(LINEAGE_STOPPED);
	if (lineage_is(LINEAGE_UNTIMED))
		h->stopped_ns = untimed_now() | mon->cpu_birth_ns;
	show_rate(h);
}

static void
watch(struct format_header *h, const char *list)
{
	watch_set(list);
	str_copy(h->watch, watch_list(), sizeof h->watch);
}

static bool
can_have(uint64_t interval)
{
	return interval == 0 || (interval >= FORMAT_INTERVAL_LEAST &&
	    interval <= FORMAT_INTERVAL_MOST);
}

/*
 * Replaces the table of blocks with an empty one.  Returns false if there is no
 * memory for it; then the ends of live blocks are still counted.
 */
static bool
forget(const struct wanted *w)
{
	const unsigned generation = atomic_load(&mon->store.generation);
	struct blocks *old = atomic_load(&mon->blocks);
	struct blocks *fresh = old == NULL ? NULL :
	    blocks_make(config.heap_size, generation);
	uint64_t era;

	mon->forgot = w->forget;
	if (fresh == NULL && old != NULL)
		return false;
	mapcount_forget();
	if (old == NULL)
		return true;
	era = ((const struct format_memory *)store_at(
	    atomic_load(&mon->memory)))->era;
	if (mon->blocks_before != NULL)
		blocks_discard(mon->blocks_before);
	mon->blocks_before = old;
	atomic_store(&mon->blocks, fresh);
	if (config.heap_period != 0)
		lane_lead(old, fresh);
	atomic_fetch_add(&mon->forgotten, stake_sum(generation));
	atomic_store(&mon->forgot_era, era + 1);
	mon->forgot_mono = sys_clock(CLOCK_MONOTONIC);
	atomic_store(&mon->forgot_by, w->number);
	peak_anew();
	return true;
}

/*
 * What it cannot do takes nothing from the rest, which others may have asked.
 */
static int
take(struct format_header *h, const struct wanted *w)
{
	bool other_state = w->stop != lineage_is(LINEAGE_STOPPED);
	bool other_rate = w->interval != atomic_load(&lineage.interval) &&
	    can_have(w->interval);
	bool other_watch = !str_equal(w->watch, watch_list());
	bool other_modes = w->modes != h->modes;
	bool other_blocks = w->forget != mon->forgot;
	int error = !can_have(w->interval) ? EINVAL : 0;

	if (!other_state && !other_rate && !other_watch && !other_modes &&
	    !other_blocks)
		return error;
	/* Not one more system call: the timers stay as they are. */
	if (atomic_load(&mon->frozen))
		return EPERM;
	if (other_modes && !can_have_modes(w->modes)) {
		other_modes = false;
		error = EOPNOTSUPP;
	}
	if (other_rate) {
		atomic_store(&lineage.interval, w->interval);
		show_rate(h);
	}
	if (other_watch)
		watch(h, w->watch);
	if (other_state || other_modes)
		switch_to(h, w->stop, other_modes ? w->modes : h->modes);
	/*
	 * switch_to() has stopped counting, so no block is given out meanwhile.
	 */
	if (other_blocks && !forget(w))
		error = ENOMEM;
	if (other_state || other_modes || other_rate)
		coarse_pace();
	return error;
}

/* Of this image nothing has been counted yet, whatever it was until now. */
static void
begin_as(struct format_header *h, bool stop, uint32_t modes)
{
	uint64_t before = lineage_is(LINEAGE_UNTIMED) ?
	    sys_clock(CLOCK_PROCESS_CPUTIME_ID) - mon->cpu_birth_ns : 0;

	pause_as(stop, modes);
	h->modes = modes;
	h->stopped_ns = lineage_is(LINEAGE_UNTIMED) ?
	    untimed_now() | mon->cpu_birth_ns : before;
}

static uint32_t
modes_of(const struct format_orders *o)
{
	uint32_t modes = (o->what & FORMAT_O_MODES) != 0 ? o->modes :
	    modes_now();

	if ((o->what & FORMAT_O_MORE) != 0)
		modes |= o->more;
	return can_have_modes(modes) ? modes : modes_now();
}

void
control_obey(struct format_header *h, const struct format_orders *o)
{
	bool stop = (o->what & FORMAT_O_STATE) != 0 ? o->stop != 0 :
	    lineage_is(LINEAGE_STOPPED);
	uint32_t modes = modes_of(o);
	bool state = stop != lineage_is(LINEAGE_STOPPED) ||
	    modes != modes_now();
	bool rate = (o->what & FORMAT_O_RATE) != 0 &&
	    o->interval_ns != atomic_load(&lineage.interval) &&
	    can_have(o->interval_ns);

	if (rate) {
		atomic_store(&lineage.interval, o->interval_ns);
		show_rate(h);
	}
	if ((o->what & FORMAT_O_WATCH) != 0)
		watch(h, o->watch);
	if (state)
		begin_as(h, stop, modes);
	if (rate || state)
		coarse_pace();
}

static void
answer(struct format_header *h, uint32_t number, int error)
{
	h->answer = error;
	if (!atomic_load(&mon->frozen))
		h->answer_mono = sys_clock(CLOCK_MONOTONIC);
	__atomic_store_n(&h->answered, number, __ATOMIC_RELEASE);
}

/*
 * Returns whether a call is under way that may still count in a forgotten
 * table.  The tool gets no answer until then, because it reads all counters
 * once it has one.  After BEHIND_NS the call's thread is taken to have left it,
 * or to wait for a lock.
 */
#define BEHIND_NS	50000000u

static bool
is_behind(const struct wanted *w)
{
	return !atomic_load(&mon->frozen) &&
	    atomic_load(&mon->forgot_by) == w->number &&
	    lane_is_behind(w->number) &&
	    sys_clock(CLOCK_MONOTONIC) - mon->forgot_mono < BEHIND_NS;
}

static bool
is_asked(const struct format_header *h)
{
	return h != NULL && control_is_asked((const unsigned char *)h,
	    atomic_load_explicit(&mon->asked, memory_order_relaxed));
}

bool
control_has_order(void)
{
	const struct format_header *h = store_header();

	return is_asked(h) &&
	    __atomic_load_n(&h->asked, __ATOMIC_RELAXED) % 2 == 0;
}

void
control_look(void)
{
	struct format_header *h = store_header();
	struct wanted w;
	int error;

	if (!is_asked(h) || atomic_exchange(&mon->taking, true))
		return;
	if (read_wanted(h, &w) && w.number != atomic_load(&mon->asked)) {
		error = take(h, &w);
		if (!is_behind(&w)) {
			answer(h, w.number, error);
			atomic_store(&mon->asked, w.number);
		}
	}
	atomic_store(&mon->taking, false);
}

/* Behind the file nobody knows any more what was announced in it. */
bool
control_is_kick(const siginfo_t *si)
{
	const struct format_header *h = store_header();

	return si->si_code == POLL_HUP &&
	    atomic_load(&mon->store.generation) != 0 &&
	    (h == NULL || h->kicks != 0);
}

int
control_kick_signal(void)
{
	int sig = atomic_load(&view.signal);

	if (atomic_load(&mon->small_stacks) != 0 ||
	    (atomic_load(&view.on_stack) && atomic_load(&view.own_stacks)))
		return 0;
	return view.moved || sig == SIGSTKFLT ? sig : view.fronted;
}

void
control_show_kick(void)
{
	struct format_header *h = store_header();

	if (h != NULL)
		__atomic_store_n(&h->kick_signal,
		    (uint32_t)control_kick_signal(), __ATOMIC_SEQ_CST);
}

void
control_begin(void)
{
	pause_as(!config.start, (config.time ? FORMAT_MODE_TIME : 0) |
	    (config.heap ? FORMAT_MODE_MEMORY : 0));
	atomic_store(&lineage.interval, config.hz == 0 ? 0 :
	    1000000000u / config.hz);
}

/*
 * Context: S.  Takes the orders that a tool writes into the header: ticks,
 * counted allocations and forks call it, in any thread; see live_control.h.
 */
#include "count/live_control.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "base/str.h"
#include "clock/clock_period.h"
#include "clock/cpu_timer.h"
#include "count/arc_shard.h"
#include "heap/alloc_dispatch.h"
#include "heap/alloc_thread.h"
#include "heap/alloc_thread_list.h"
#include "heap/map_count.h"
#include "heap_live/live_blocks.h"
#include "heap_live/live_bytes.h"
#include "heap_live/peak.h"
#include "module/module_filter.h"
#include "store/store.h"

#include <errno.h>
#include <signal.h>

/* An order, as it stands in the header. */
struct control_order {
	uint32_t number;
	bool stop;
	uint32_t modes;
	uint32_t forget;
	uint64_t interval;
	char watch[FORMAT_WATCH];
};

/*
 * Reads the order in the header.  Returns false if a tool is writing it just
 * now; the next tick reads it again.
 */
static bool
read_order(const struct format_header *h, struct control_order *w)
{
	w->number = __atomic_load_n(&h->asked, __ATOMIC_ACQUIRE);
	w->stop = __atomic_load_n(&h->ask_stop, __ATOMIC_RELAXED) != 0;
	w->modes = __atomic_load_n(&h->ask_modes, __ATOMIC_RELAXED);
	w->interval = __atomic_load_n(&h->ask_interval_ns, __ATOMIC_RELAXED);
	w->forget = __atomic_load_n(&h->ask_forget, __ATOMIC_RELAXED);
	str_copy(w->watch, h->ask_watch, sizeof(w->watch));
	atomic_thread_fence(memory_order_acquire);
	return w->number % 2 == 0 &&
	    __atomic_load_n(&h->asked, __ATOMIC_RELAXED) == w->number;
}

static uint32_t
current_modes(void)
{
	return (lineage_is_paused(LINEAGE_NO_TIME) ? 0 : FORMAT_MODE_TIME) |
	    (lineage_is_paused(LINEAGE_NO_HEAP) ? 0 : FORMAT_MODE_MEMORY);
}

static uint64_t
current_untimed_flags(void)
{
	return (lineage_is_paused(LINEAGE_STOPPED) ? FORMAT_STOPPED : 0) |
	    (lineage_is_paused(LINEAGE_NO_TIME) ? FORMAT_TIMELESS : 0);
}

/*
 * Returns whether the process can have these modes.  Allocations are possible
 * once our functions are called for them, even if it is stopped, because it may
 * be started at any time.
 */
static bool
is_possible_mode(uint32_t modes)
{
	return modes != 0 &&
	    (modes & ~(FORMAT_MODE_TIME | FORMAT_MODE_MEMORY)) == 0 &&
	    ((modes & FORMAT_MODE_MEMORY) == 0 || alloc_dispatch_start());
}

static void
set_pause_flags(bool stop, uint32_t modes)
{
	lineage_set_paused(LINEAGE_NO_HEAP, (modes & FORMAT_MODE_MEMORY) == 0);
	lineage_set_paused(LINEAGE_NO_TIME, (modes & FORMAT_MODE_TIME) == 0);
	arc_shard_set_paused(LINEAGE_STOPPED, stop);
}

/*
 * Stops or starts counting and changes the modes.  The header's stopped_ns
 * holds both the time and the flags in one word, so that a reader gets both
 * together.
 */
static void
switch_counting(struct format_header *h, bool stop, uint32_t modes)
{
	uint64_t now = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t ns = h->stopped_ns & ~FORMAT_UNTIMED;
	bool before = lineage_is_paused(LINEAGE_UNTIMED);

	set_pause_flags(stop, modes);
	h->modes = modes;
	if (before != lineage_is_paused(LINEAGE_UNTIMED))
		ns = now - ns;
	__atomic_store_n(&h->stopped_ns, ns | current_untimed_flags(),
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
write_rate(struct format_header *h)
{
	h->interval_ns = atomic_load(&lineage.interval);
	h->asked_hz = rounded_hz(h->interval_ns);
	h->period_ns = clock_period_full();
	h->budget_ns = clock_period_budget();
	h->later_ns = clock_period_reduced();
}

void
live_control_fill_header(struct format_header *h)
{
	h->modes = h->ask_modes = current_modes();
	h->no_modes = alloc_dispatch_no_modes();
	h->first_modes = (config.time ? FORMAT_MODE_TIME : 0) |
	    (config.heap ? FORMAT_MODE_MEMORY : 0);
	h->ask_interval_ns = atomic_load(&lineage.interval);
	str_copy(h->ask_watch, module_filter_list(), sizeof(h->ask_watch));
	str_copy(h->watch, module_filter_list(), sizeof(h->watch));
	h->first_interval_ns = config.hz == 0 ? 0 : 1000000000u / config.hz;
	h->kick_signal = (uint32_t)live_control_kick_signal();
	h->ask_stop = lineage_is_paused(LINEAGE_STOPPED);
	if (lineage_is_paused(LINEAGE_UNTIMED))
		h->stopped_ns = current_untimed_flags() | mon->cpu_birth_ns;
	write_rate(h);
}

static void
set_watched_modules(struct format_header *h, const char *list)
{
	module_filter_set(list);
	str_copy(h->watch, module_filter_list(), sizeof(h->watch));
}

static bool
is_possible_interval(uint64_t interval)
{
	return interval == 0 || (interval >= FORMAT_INTERVAL_LEAST &&
	    interval <= FORMAT_INTERVAL_MOST);
}

/*
 * Replaces the table of live blocks with an empty one.  Returns false if there
 * is no memory; then ends of live blocks are still counted.
 */
static bool
reset_live_blocks(const struct control_order *w)
{
	const unsigned generation = atomic_load(&mon->store.generation);
	struct live_block_table *old = atomic_load(&mon->blocks);
	struct live_block_table *fresh = old == NULL ? NULL :
	    live_blocks_create(config.heap_size, generation);
	uint64_t era;

	mon->forgot = w->forget;
	if (fresh == NULL && old != NULL)
		return false;
	map_count_forget();
	if (old == NULL)
		return true;
	era = ((const struct format_memory *)store_at(
	    atomic_load(&mon->memory)))->era;
	if (mon->blocks_before != NULL)
		live_blocks_discard(mon->blocks_before);
	mon->blocks_before = old;
	atomic_store(&mon->blocks, fresh);
	if (config.heap_period != 0)
		alloc_thread_list_switch(old, fresh);
	atomic_fetch_add(&mon->forgotten, live_bytes_sum(generation));
	atomic_store(&mon->forgot_era, era + 1);
	mon->forgot_mono = sys_clock(CLOCK_MONOTONIC);
	atomic_store(&mon->forgot_by, w->number);
	peak_restart();
	return true;
}

/*
 * Obeys an order.  Returns 0 or an errno.  If the process cannot obey one part,
 * it still obeys the rest, for which other tools may have asked.
 */
static int
obey_order(struct format_header *h, const struct control_order *w)
{
	bool other_state = w->stop != lineage_is_paused(LINEAGE_STOPPED);
	bool other_rate = w->interval != atomic_load(&lineage.interval) &&
	    is_possible_interval(w->interval);
	bool other_watch = !str_equal(w->watch, module_filter_list());
	bool other_modes = w->modes != h->modes;
	bool other_blocks = w->forget != mon->forgot;
	int error = !is_possible_interval(w->interval) ? EINVAL : 0;

	if (!other_state && !other_rate && !other_watch && !other_modes &&
	    !other_blocks)
		return error;
	/* No more system calls are allowed, so the timers stay as they are. */
	if (atomic_load(&mon->frozen))
		return EPERM;
	if (other_modes && !is_possible_mode(w->modes)) {
		other_modes = false;
		error = EOPNOTSUPP;
	}
	if (other_rate) {
		atomic_store(&lineage.interval, w->interval);
		write_rate(h);
	}
	if (other_watch)
		set_watched_modules(h, w->watch);
	if (other_state || other_modes)
		switch_counting(h, w->stop, other_modes ? w->modes : h->modes);
	/*
	 * A tool asks for this together with a stop, which holds by now, so no
	 * block is given out meanwhile.
	 */
	if (other_blocks && !reset_live_blocks(w))
		error = ENOMEM;
	if (other_state || other_modes || other_rate)
		cpu_timer_apply_interval();
	return error;
}

/*
 * Does what switch_counting() does, in a new file: of this process image
 * nothing has been counted yet, whatever its state was until now.
 */
static void
start_with_modes(struct format_header *h, bool stop, uint32_t modes)
{
	uint64_t before = lineage_is_paused(LINEAGE_UNTIMED) ?
	    sys_clock(CLOCK_PROCESS_CPUTIME_ID) - mon->cpu_birth_ns : 0;

	set_pause_flags(stop, modes);
	h->modes = modes;
	h->stopped_ns = lineage_is_paused(LINEAGE_UNTIMED) ?
	    current_untimed_flags() | mon->cpu_birth_ns : before;
}

static uint32_t
modes_of_defaults(const struct format_defaults *o)
{
	uint32_t modes = (o->what & FORMAT_D_MODES) != 0 ? o->modes :
	    current_modes();

	if ((o->what & FORMAT_D_MORE) != 0)
		modes |= o->more;
	/* With mode=heap of PROFOPTS the start counts it. */
	if ((modes & alloc_dispatch_no_modes()) != 0 && !config.heap)
		loss_count(LOSS_HEAP_BEHIND, 1);
	return is_possible_mode(modes) ? modes : current_modes();
}

void
live_control_apply(struct format_header *h, const struct format_defaults *o)
{
	bool stop = (o->what & FORMAT_D_STATE) != 0 ? o->stop != 0 :
	    lineage_is_paused(LINEAGE_STOPPED);
	uint32_t modes = modes_of_defaults(o);
	bool state = stop != lineage_is_paused(LINEAGE_STOPPED) ||
	    modes != current_modes();
	bool rate = (o->what & FORMAT_D_RATE) != 0 &&
	    o->interval_ns != atomic_load(&lineage.interval) &&
	    is_possible_interval(o->interval_ns);

	if (rate) {
		atomic_store(&lineage.interval, o->interval_ns);
		write_rate(h);
	}
	if ((o->what & FORMAT_D_WATCH) != 0)
		set_watched_modules(h, o->watch);
	if (state)
		start_with_modes(h, stop, modes);
	if (rate || state)
		cpu_timer_apply_interval();
}

static void
answer_order(struct format_header *h, uint32_t number, int error)
{
	h->answer = error;
	if (!atomic_load(&mon->frozen))
		h->answer_mono = sys_clock(CLOCK_MONOTONIC);
	__atomic_store_n(&h->answered, number, __ATOMIC_RELEASE);
}

/*
 * Returns whether a call of an allocation function is under way that may still
 * count in a forgotten table.  The tool gets no answer until then, because it
 * reads all counters once it has an answer.  After IN_FLIGHT_NS the call's
 * thread is taken to have left it, or to wait for a lock.
 */
#define IN_FLIGHT_NS	50000000u

static bool
is_call_in_flight(const struct control_order *w)
{
	return !atomic_load(&mon->frozen) &&
	    atomic_load(&mon->forgot_by) == w->number &&
	    alloc_thread_list_is_stale(w->number) &&
	    sys_clock(CLOCK_MONOTONIC) - mon->forgot_mono < IN_FLIGHT_NS;
}

static bool
is_order_pending(const struct format_header *h)
{
	return h != NULL && live_control_is_newer((const unsigned char *)h,
	    atomic_load_explicit(&mon->asked, memory_order_relaxed));
}

bool
live_control_has_order(void)
{
	const struct format_header *h = store_header();

	return is_order_pending(h) &&
	    __atomic_load_n(&h->asked, __ATOMIC_RELAXED) % 2 == 0;
}

void
live_control_poll(void)
{
	struct format_header *h = store_header();
	struct control_order w;
	int error;

	if (!is_order_pending(h) || atomic_exchange(&mon->taking, true))
		return;
	if (read_order(h, &w) && w.number != atomic_load(&mon->asked)) {
		error = obey_order(h, &w);
		if (!is_call_in_flight(&w)) {
			answer_order(h, w.number, error);
			atomic_store(&mon->asked, w.number);
		}
	}
	atomic_store(&mon->taking, false);
}

/*
 * If the file is gone, any such signal counts as a kick, because it is not
 * known any more whether a kick was announced in the file.  The file has its
 * name, so that tools kick, before the store is ready.
 */
bool
live_control_is_kick(const siginfo_t *si)
{
	const struct format_header *h = store_header();

	return si->si_code == POLL_HUP &&
	    (atomic_load(&mon->store.generation) != 0 ||
	    atomic_load(&mon->store.state) != STORE_NONE) &&
	    (h == NULL || h->kicks != 0);
}

int
live_control_kick_signal(void)
{
	int sig = atomic_load(&virtual_signals.signal);

	if (atomic_load(&mon->small_stacks) != 0 ||
	    (atomic_load(&virtual_signals.on_stack) &&
	    atomic_load(&virtual_signals.own_stacks)))
		return 0;
	return virtual_signals.moved || sig == SIGSTKFLT ? sig :
	    virtual_signals.fronted;
}

void
live_control_publish_kick(void)
{
	struct format_header *h = store_header();

	if (h != NULL)
		__atomic_store_n(&h->kick_signal,
		    (uint32_t)live_control_kick_signal(), __ATOMIC_SEQ_CST);
}

void
live_control_init(void)
{
	set_pause_flags(!config.start, (config.time ? FORMAT_MODE_TIME : 0) |
	    (config.heap ? FORMAT_MODE_MEMORY : 0));
	atomic_store(&lineage.interval, config.hz == 0 ? 0 :
	    1000000000u / config.hz);
}

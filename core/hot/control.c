/* Context: S.  What a tool asks of the process; doc/internals.md, section 19. */
#include "control.h"

#include "coarse.h"
#include "shard.h"
#include "store.h"

#include <errno.h>
#include <signal.h>

struct wanted {
	uint32_t number;
	bool stop;
};

/* False: it is being written just now.  The next tick looks again. */
static bool
read_wanted(const struct format_header *h, struct wanted *w)
{
	w->number = __atomic_load_n(&h->asked, __ATOMIC_ACQUIRE);
	w->stop = __atomic_load_n(&h->ask_stop, __ATOMIC_RELAXED) != 0;
	atomic_thread_fence(memory_order_acquire);
	return w->number % 2 == 0 &&
	    __atomic_load_n(&h->asked, __ATOMIC_RELAXED) == w->number;
}

/* One word, so that who reads it has both. */
static void
switch_to(struct format_header *h, bool stop)
{
	uint64_t now = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t before = h->stopped_ns & ~FORMAT_STOPPED;

	shard_pause(LINEAGE_STOPPED, stop);
	__atomic_store_n(&h->stopped_ns, (now - before) |
	    (stop ? FORMAT_STOPPED : 0), __ATOMIC_RELEASE);
	coarse_pace();
}

static int
take(struct format_header *h, const struct wanted *w)
{
	if (w->stop == lineage_is(LINEAGE_STOPPED))
		return 0;
	/* Not one more system call: the timers stay as they are. */
	if (atomic_load(&mon->frozen))
		return EPERM;
	switch_to(h, w->stop);
	return 0;
}

static void
answer(struct format_header *h, uint32_t number, int error)
{
	h->answer = error;
	if (!atomic_load(&mon->frozen))
		h->answer_mono = sys_clock(CLOCK_MONOTONIC);
	__atomic_store_n(&h->answered, number, __ATOMIC_RELEASE);
}

void
control_look(void)
{
	struct format_header *h = store_header();
	struct wanted w;

	if (h == NULL || __atomic_load_n(&h->asked, __ATOMIC_RELAXED) ==
	    atomic_load_explicit(&mon->asked, memory_order_relaxed) ||
	    atomic_exchange(&mon->taking, true))
		return;
	if (read_wanted(h, &w) && w.number != atomic_load(&mon->asked)) {
		answer(h, w.number, take(h, &w));
		atomic_store(&mon->asked, w.number);
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

	return view.moved || sig == SIGSTKFLT ? sig : view.fronted;
}

void
control_begin_stopped(void)
{
	atomic_fetch_or(&lineage.paused, LINEAGE_STOPPED);
}

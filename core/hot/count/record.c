/*
 * Context: S.  Counts a tick in the call tree, or keeps it in the slot until
 * there is a file.
 */
#include "count/record.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "clock/tick_log.h"
#include "count/cct.h"
#include "count/histogram.h"
#include "count/tick_path.h"
#include "module/module_filter.h"
#include "module/modules.h"
#include "store/store.h"
#include "store/store_create.h"
#include "thread/thread_record.h"

/*
 * Makes the thread's record, or counts n ticks as lost if there is no room for
 * it.
 */
static bool
make_thread_record_for(struct thread_slot *s, uint64_t n)
{
	const bool has = thread_record_make(s);

	if (!has)
		loss_count(store_refusal_loss(), n);
	return has;
}

bool
record_prepare(struct thread_slot *s)
{
	return store_create_if_due() && thread_record_make(s);
}

/* Counts a sample in the program's histograms only. */
static void
count_histogram_only(uintptr_t pc, enum record_want want, uint64_t ns)
{
	if (want != RECORD_KERNEL)
		histogram_count(pc, ns);
}

/*
 * Counts a sample as lost, because there is no file or another thread is still
 * making it.
 */
static void
count_lost_sample(void)
{
	loss_count(atomic_load(&mon->store.state) == STORE_BUSY ?
	    LOSS_STORE_RACE : LOSS_STORE_NONE, 1);
}

/*
 * Keeps a sample in the slot until it can be counted, with those that wait
 * there already.  The place of all of them is that of a random one.  Returns
 * false for a sample that might be kernel time, because only its own place
 * could tell that later.  The thread that makes the file may wait long for a
 * processor: beside 200 running threads it took 2.5 s of their CPU time.
 */
static bool
hold_sample(struct thread_slot *s, uintptr_t pc, enum record_want want,
    uint64_t n, uint64_t ns)
{
	uint64_t draw = (pc ^ s->held_ns) * 0x9e3779b97f4a7c15u >> 32;

	if (want == RECORD_KERNEL)
		return false;
	s->held_ticks += n;
	s->held_ns += ns;
	if (s->held_ticks == n || draw % s->held_ticks < n)
		s->held_pc = pc;
	return true;
}

/*
 * Returns whether a sample at pc fits `want`.  call_end: the address behind the
 * system call instruction before pc, or 0 if there is none.  Kernel time of a
 * system call shows as a pc behind its instruction.  The way out of the kernel
 * runs with interrupts off, so fine ticks gather there, too; the coarse clock
 * counts that time already (with both, reads of 4 KiB were 10 % too high).
 */
static bool
is_wanted_sample(const struct thread_slot *s, uintptr_t pc,
    enum record_want want, uintptr_t call_end)
{
	if (want == RECORD_KERNEL)
		return call_end != 0;
	if (want == RECORD_USER)
		return call_end != pc || s->coarse != FORMAT_COARSE_CPU;
	return true;
}

static void
add_to_node(struct thread_slot *s, struct format_node *node, uint64_t n,
    uint64_t ns)
{
	struct format_thread *t = store_at(s->thread);

	cct_count(node, n, ns);
	if (config.log)
		tick_log_add(s, cct_index(node), ns, n == 0);
	__atomic_fetch_add(&t->ticks, n, __ATOMIC_RELAXED);
}

/* Returns the node's index, or 0 if there is no room for it. */
static uint32_t
add_sample_node(struct thread_slot *s, uint32_t parent, uint32_t kind,
    const struct module_hit *hit, uint64_t n, uint64_t ns)
{
	struct format_node *node;

	/* Index 0 is the header: there was no room for a caller. */
	node = parent == 0 ? NULL :
	    cct_find_or_add(parent, kind, hit->record, hit->address);
	if (node == NULL) {
		loss_count(store_refusal_loss(), n);
		return 0;
	}
	if (!hit->known && !hit->unrecorded)
		loss_count(LOSS_PC_UNKNOWN, 1);
	cct_mark(node, hit->known);
	add_to_node(s, node, n, ns);
	return cct_index(node);
}

/*
 * Counts a sample below the root if the program has paused profiling: the place
 * is not kept, but the time is not lost.  Returns whether it did.
 */
static bool
count_if_paused(struct thread_slot *s, uint64_t n, uint64_t ns)
{
	const struct module_hit nowhere = { .known = true };

	if (!lineage_is_paused(LINEAGE_PAUSED))
		return false;
	add_sample_node(s, s->root, FORMAT_PAUSED, &nowhere, n, ns);
	return true;
}

/*
 * Counts a sample below the root if no tool wants to see its module.  Returns
 * whether it did.
 */
static bool
count_if_not_watched(struct thread_slot *s, const struct module_hit *hit,
    bool asleep, uint64_t n, uint64_t ns)
{
	const struct module_hit nowhere = { .address = asleep, .known = true };

	if (hit->watched)
		return false;
	add_sample_node(s, s->root, FORMAT_UNWATCHED, &nowhere, n, ns);
	return true;
}

/*
 * Takes the part of the backlog that a sample of ns carries, which is limited
 * so that no sample becomes large.
 */
static uint64_t
take_from_backlog(struct thread_slot *s, uint64_t ns)
{
	uint64_t carried = s->backlog < ns ? s->backlog : ns;

	s->backlog -= carried;
	return carried;
}

/*
 * Adds what one sample stands for to the header's sums.  clock: the sum of the
 * kernel's or of the coarse clock's samples, or NULL.
 */
static void
add_sample_weight(uint64_t ns, uint64_t *clock)
{
	struct format_header *h = store_header();
	const uint64_t us = ns / 1000;

	__atomic_fetch_add(&h->sample_ns, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&h->sample_squares, us * us, __ATOMIC_RELAXED);
	if (clock != NULL)
		__atomic_fetch_add(clock, ns, __ATOMIC_RELAXED);
}

static bool
count_sample(struct thread_slot *s, struct module_hit *hit, uintptr_t pc,
    enum record_want want, uint64_t n, uint64_t ns)
{
	uint32_t kind = FORMAT_USER;
	uintptr_t call_end = 0;

	if (want != RECORD_PAST && hit->text != 0)
		call_end = arch_syscall_end(pc, hit->text, hit->text_end);
	if (!is_wanted_sample(s, pc, want, call_end))
		return false;
	if (s->backlog != 0)
		ns += take_from_backlog(s, ns);
	histogram_count(pc, ns);
	if (count_if_paused(s, n, ns) || count_if_not_watched(s, hit, false, n,
	    ns)) {
		add_sample_weight(ns, NULL);
		return true;
	}
	if (want != RECORD_USER && call_end != 0) {
		kind = FORMAT_KERNEL;
		hit->address += call_end - pc;
	}
	/* A sample without room is lost, and counts in no sum. */
	if (add_sample_node(s, tick_path_node(s, want != RECORD_PAST), kind,
	    hit, n, ns) != 0)
		add_sample_weight(ns, kind == FORMAT_KERNEL ?
		    &store_header()->kernel_ns : want == RECORD_EITHER ?
		    &store_header()->coarse_ns : NULL);
	return true;
}

/*
 * Counts the samples that wait in the slot, if there are any.  While another
 * thread reads the memory map they go on waiting, unless `last` says that they
 * cannot.
 */
static void
count_held_samples(struct thread_slot *s, bool last)
{
	struct module_hit hit;

	if (s->held_ns == 0)
		return;
	modules_find(s->held_pc, &hit);
	if (hit.soon && !last)
		return;
	count_sample(s, &hit, s->held_pc, RECORD_PAST, s->held_ticks,
	    s->held_ns);
	s->held_ns = s->held_ticks = 0;
}

/*
 * Returns whether the file is there; makes it if it is due.  Does neither while
 * one of the LINEAGE_* reasons in `but` holds.  The caller has to check those
 * again afterwards, because a new file may come with orders.
 */
static bool
open_store_unless(unsigned but)
{
	return !lineage_is_paused(but) && store_create_if_due();
}

/* Does what record_tick() does while there is no file. */
static bool
count_before_store(struct thread_slot *s, uintptr_t pc, enum record_want want,
    uint64_t n, uint64_t ns)
{
	if (atomic_load(&mon->store.state) == STORE_BUSY &&
	    hold_sample(s, pc, want, n, ns))
		return true;
	count_histogram_only(pc, want, ns);
	count_lost_sample();
	return false;
}

bool
record_tick(struct thread_slot *s, uintptr_t pc, enum record_want want,
    uint64_t n, uint64_t ns)
{
	const bool ready = open_store_unless(LINEAGE_UNTIMED);
	struct module_hit hit;

	if (lineage_is_paused(LINEAGE_UNTIMED)) {
		count_histogram_only(pc, want, ns);
		return false;
	}
	if (!ready)
		return count_before_store(s, pc, want, n, ns);
	if (!make_thread_record_for(s, n)) {
		count_histogram_only(pc, want, ns);
		return false;
	}
	count_held_samples(s, false);
	modules_find(pc, &hit);
	s->last_pc = pc;
	return (hit.soon && hold_sample(s, pc, want, n, ns)) ||
	    count_sample(s, &hit, pc, want, n, ns);
}

void
record_backlog(struct thread_slot *s, uintptr_t pc)
{
	uint64_t ns = s->backlog;

	s->backlog = 0;
	if (ns != 0)
		record_tick(s, pc, RECORD_EITHER, 0, ns);
}

/*
 * Counts the backlog at the place of the last sample, because the thread is
 * elsewhere now.
 */
static void
count_last_backlog(struct thread_slot *s)
{
	struct module_hit hit;
	uint64_t ns = s->backlog;

	s->backlog = 0;
	if (ns == 0)
		return;
	if (s->last_pc == 0) {
		loss_count(LOSS_TAIL, 1);
		return;
	}
	modules_find(s->last_pc, &hit);
	count_sample(s, &hit, s->last_pc, RECORD_PAST, 0, ns);
}

void
record_flush_pending(struct thread_slot *s)
{
	if (s->held_ns == 0 && s->backlog == 0)
		return;
	if (store_header() != NULL && thread_record_make(s)) {
		count_held_samples(s, true);
		count_last_backlog(s);
		return;
	}
	if (s->held_ns != 0)
		loss_count(store_header() != NULL ? store_refusal_loss() :
		    LOSS_STORE_RACE, s->held_ticks);
	s->held_ns = s->held_ticks = s->backlog = 0;
}

bool
record_has_pending(const struct thread_slot *s)
{
	return s->held_ns != 0 &&
	    atomic_load(&mon->store.state) == STORE_BUSY;
}

/*
 * Returns whether a tool wants to see the module of pc, at which the program
 * called the kernel.
 */
static bool
is_watched_place(uintptr_t pc)
{
	struct module_hit hit = { .watched = true };

	if (module_filter_is_on())
		modules_find(pc, &hit);
	return hit.watched;
}

void
record_kernel(struct thread_slot *s, uintptr_t pc,
    const struct stack_walk_start *from, uint64_t n, uint64_t ns)
{
	struct module_hit hit = { .address = pc, .known = true };
	const bool ready = open_store_unless(LINEAGE_UNTIMED);

	/* To the program this is time of its place in user mode. */
	histogram_count(s->now, ns);
	if (lineage_is_paused(LINEAGE_UNTIMED))
		return;
	if (!ready) {
		count_lost_sample();
		return;
	}
	if (!make_thread_record_for(s, n))
		return;
	if (count_if_paused(s, n, ns)) {
		add_sample_weight(ns, NULL);
		return;
	}
	hit.watched = is_watched_place(from != NULL ? from->pc : s->now);
	if (count_if_not_watched(s, &hit, false, n, ns)) {
		add_sample_weight(ns, NULL);
	} else if (add_sample_node(s, tick_path_of_place(s, from, true),
	    FORMAT_KFUNC, &hit, n, ns) != 0) {
		add_sample_weight(ns, &store_header()->kernel_ns);
	}
}

uint32_t
record_sleep(struct thread_slot *s, uintptr_t pc,
    const struct stack_walk_start *from, uint64_t ns)
{
	const unsigned but = LINEAGE_PAUSED | LINEAGE_UNTIMED;
	const bool ready = open_store_unless(but);
	struct module_hit hit;
	uint32_t node;

	if (lineage_is_paused(but))
		return 0;
	if (!ready) {
		count_lost_sample();
		return 0;
	}
	if (!make_thread_record_for(s, 1))
		return 0;
	modules_find(pc, &hit);
	if (count_if_not_watched(s, &hit, true, 1, ns))
		return 0;
	node = add_sample_node(s, tick_path_of_place(s, from, false),
	    FORMAT_SLEEP, &hit, 1, ns);
	return from != NULL && hit.known ? node : 0;
}

bool
record_sleep_again(struct thread_slot *s, uint32_t node, uint64_t ns)
{
	if (lineage_is_paused(LINEAGE_PAUSED | LINEAGE_UNTIMED) ||
	    module_filter_is_on() || store_header() == NULL || s->thread == 0 ||
	    s->generation != atomic_load(&mon->store.generation))
		return false;
	add_to_node(s, store_at(node), 1, ns);
	return true;
}

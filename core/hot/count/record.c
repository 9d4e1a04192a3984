/*
 * Context: S.  Counts samples in the call tree, or keeps those of a tick in the
 * slot until they can be counted, for ticks, the helper of clock=wall, and what
 * ends a thread or the profile; see record.h.  The caller holds the slot's
 * `busy`, or keeps the thread's ticks out.
 */
#include "count/record.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "count/histogram.h"
#include "count/sample_node.h"
#include "count/tick_path.h"
#include "module/module_filter.h"
#include "module/modules.h"
#include "store/store.h"
#include "store/store_create.h"
#include "thread/thread_record.h"

/*
 * Makes the thread's record, or counts n ticks as lost if there is no room for
 * it.  Returns whether the thread has a record.
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
 * Counts n ticks as lost, because there is no file or another thread is still
 * making it; for n = 0, which stands for backlog, one.
 */
static void
count_lost_ticks(uint64_t n)
{
	loss_count(atomic_load(&mon->store.state) == STORE_BUSY ?
	    LOSS_STORE_RACE : LOSS_STORE_NONE, n != 0 ? n : 1);
}

/*
 * Keeps a sample in the slot until it can be counted, with those that wait
 * there already.  The place of all of them is that of a random one.  Returns
 * false for RECORD_KERNEL, because only the sample's own place could tell later
 * whether it is kernel time.  (One of RECORD_EITHER is held, and counts as user
 * time.)  The thread that makes the file may wait long for a processor: beside
 * 200 running threads it took 2.5 s of their CPU time.
 */
static bool
hold_sample(struct thread_slot *s, uintptr_t pc, enum record_want want,
    uint64_t n, uint64_t ns)
{
	uint64_t draw = (pc ^ s->pending.ns) * 0x9e3779b97f4a7c15u >> 32;

	if (want == RECORD_KERNEL)
		return false;
	s->pending.ticks += n;
	s->pending.ns += ns;
	if (s->pending.ticks == n || draw % s->pending.ticks < n)
		s->pending.pc = pc;
	return true;
}

/*
 * Returns whether a sample at pc fits `want`; RECORD_EITHER and RECORD_PAST
 * always do.  call_end: the address behind the system call instruction that pc
 * stands at or behind, or 0 if there is none.  Kernel time of a system call
 * shows as a pc behind its instruction.  The way out of the kernel runs with
 * interrupts off, so fine ticks gather there, too; the coarse clock counts that
 * time already (with both, reads of 4 KiB were 10 % too high).
 */
static bool
is_wanted_sample(const struct thread_slot *s, uintptr_t pc,
    enum record_want want, uintptr_t call_end)
{
	if (want == RECORD_KERNEL)
		return call_end != 0;
	if (want == RECORD_USER)
		return call_end != pc ||
		    s->coarse_clock.kind != FORMAT_COARSE_CPU;
	return true;
}

/*
 * Takes the part of the backlog that a sample of ns carries, and returns it: ns
 * at most, so that the sample at most doubles.
 */
static uint64_t
take_from_backlog(struct thread_slot *s, uint64_t ns)
{
	uint64_t carried = s->pending.backlog < ns ? s->pending.backlog : ns;

	s->pending.backlog -= carried;
	return carried;
}

/*
 * Counts n samples of ns in all, and a part of the backlog, at pc, whose module
 * is *hit.  The thread has a record in the file.  Returns false, and counts
 * nothing, if `want` does not fit pc.  May change hit->address.
 */
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
	if (s->pending.backlog != 0)
		ns += take_from_backlog(s, ns);
	histogram_count(pc, ns);
	if (sample_node_if_paused(s, n, ns) || sample_node_if_unwatched(s, hit,
	    false, n, ns)) {
		sample_node_weigh(ns, NULL);
		return true;
	}
	if (want != RECORD_USER && call_end != 0) {
		kind = FORMAT_KERNEL;
		hit->address += call_end - pc;
	}
	/* A sample without room is lost, and counts in no sum. */
	if (sample_node_add(s, tick_path_node(s, want != RECORD_PAST), kind,
	    hit, n, ns) != 0)
		sample_node_weigh(ns, kind == FORMAT_KERNEL ?
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

	if (s->pending.ns == 0)
		return;
	modules_find(s->pending.pc, &hit);
	if (hit.soon && !last)
		return;
	count_sample(s, &hit, s->pending.pc, RECORD_PAST, s->pending.ticks,
	    s->pending.ns);
	s->pending.ns = s->pending.ticks = 0;
}

/* Whether a sample can be counted in the file now. */
enum readiness {
	COUNT_READY,		/* the thread has a record in the file */
	COUNT_STOPPED,		/* one of the given LINEAGE_* reasons holds */
	COUNT_NO_FILE,		/* there is no file, or not yet */
	COUNT_NO_ROOM,		/* the file has no room; counted as a loss */
};

/*
 * Prepares to count n samples of the thread of s: makes the file if it is due,
 * and the thread's record.  but: the LINEAGE_* reasons not to count; they are
 * read again after the file was made, because a new file may come with orders.
 */
static enum readiness
prepare_count(struct thread_slot *s, unsigned but, uint64_t n)
{
	const bool ready = !lineage_is_paused(but) && store_create_if_due();

	if (lineage_is_paused(but))
		return COUNT_STOPPED;
	if (!ready)
		return COUNT_NO_FILE;
	return make_thread_record_for(s, n) ? COUNT_READY : COUNT_NO_ROOM;
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
	count_lost_ticks(n);
	return false;
}

bool
record_tick(struct thread_slot *s, uintptr_t pc, enum record_want want,
    uint64_t n, uint64_t ns)
{
	const enum readiness now = prepare_count(s, LINEAGE_UNTIMED, n);
	struct module_hit hit;

	if (now == COUNT_NO_FILE)
		return count_before_store(s, pc, want, n, ns);
	if (now != COUNT_READY) {
		count_histogram_only(pc, want, ns);
		return false;
	}
	count_held_samples(s, false);
	modules_find(pc, &hit);
	s->pending.last_pc = pc;
	return (hit.soon && hold_sample(s, pc, want, n, ns)) ||
	    count_sample(s, &hit, pc, want, n, ns);
}

void
record_backlog(struct thread_slot *s, uintptr_t pc)
{
	uint64_t ns = s->pending.backlog;

	s->pending.backlog = 0;
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
	uint64_t ns = s->pending.backlog;

	s->pending.backlog = 0;
	if (ns == 0)
		return;
	if (s->pending.last_pc == 0) {
		loss_count(LOSS_TAIL, 1);
		return;
	}
	modules_find(s->pending.last_pc, &hit);
	count_sample(s, &hit, s->pending.last_pc, RECORD_PAST, 0, ns);
}

void
record_flush_pending(struct thread_slot *s)
{
	if (s->pending.ns == 0 && s->pending.backlog == 0)
		return;
	if (store_header() != NULL && thread_record_make(s)) {
		count_held_samples(s, true);
		count_last_backlog(s);
		return;
	}
	if (s->pending.ns != 0)
		loss_count(store_header() != NULL ? store_refusal_loss() :
		    LOSS_STORE_RACE, s->pending.ticks);
	s->pending.ns = s->pending.ticks = s->pending.backlog = 0;
}

bool
record_has_pending(const struct thread_slot *s)
{
	return s->pending.ns != 0 &&
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
	const enum readiness now = prepare_count(s, LINEAGE_UNTIMED, n);

	/* To the program this is time of its place in user mode. */
	histogram_count(s->tick.pc, ns);
	if (now == COUNT_NO_FILE)
		count_lost_ticks(n);
	if (now != COUNT_READY)
		return;
	if (sample_node_if_paused(s, n, ns)) {
		sample_node_weigh(ns, NULL);
		return;
	}
	hit.watched = is_watched_place(from != NULL ? from->pc : s->tick.pc);
	if (sample_node_if_unwatched(s, &hit, false, n, ns)) {
		sample_node_weigh(ns, NULL);
	} else if (sample_node_add(s, tick_path_of_place(s, from, true),
	    FORMAT_KFUNC, &hit, n, ns) != 0) {
		sample_node_weigh(ns, &store_header()->kernel_ns);
	}
}

uint32_t
record_sleep(struct thread_slot *s, uintptr_t pc,
    const struct stack_walk_start *from, uint64_t ns)
{
	const unsigned but = LINEAGE_PAUSED | LINEAGE_UNTIMED;
	const enum readiness now = prepare_count(s, but, 1);
	struct module_hit hit;
	uint32_t node;

	if (now == COUNT_NO_FILE)
		count_lost_ticks(1);
	if (now != COUNT_READY)
		return 0;
	modules_find(pc, &hit);
	if (hit.soon) {
		modules_await();
		modules_find(pc, &hit);
	}
	if (sample_node_if_unwatched(s, &hit, true, 1, ns))
		return 0;
	node = sample_node_add(s, tick_path_of_place(s, from, false),
	    FORMAT_SLEEP, &hit, 1, ns);
	return from != NULL && hit.known ? node : 0;
}

bool
record_sleep_again(struct thread_slot *s, uint32_t node, uint64_t ns)
{
	if (lineage_is_paused(LINEAGE_PAUSED | LINEAGE_UNTIMED) ||
	    module_filter_is_on() || store_header() == NULL ||
	    s->records.thread == 0 ||
	    s->records.generation != atomic_load(&mon->store.generation))
		return false;
	sample_node_count(s, store_at(node), 1, ns);
	return true;
}

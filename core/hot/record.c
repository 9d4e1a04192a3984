/* Context: S.  Counting: a thread's record, and a tick in the tree. */
#include "record.h"

#include "children.h"
#include "histogram.h"
#include "modules.h"
#include "moment.h"
#include "path.h"
#include "process.h"
#include "store.h"
#include "str.h"
#include "tree.h"
#include "watch.h"

#include <sys/prctl.h>

/* Threads past these share one record: the file must stay small. */
#define THREAD_MOST	8192u

#define THREADS_FEW	64u	/* 0.6 us */
#define THREAD_NS	2000u

/* Of one that libc did not make slot_self may not be there. */
static bool
is_caller(const struct slot *s)
{
	return s->native ? s == slot_self : s->tid == sys_gettid();
}

/* Its own name, or through /proc when the helper of clock=wall met it first. */
static void
name_thread(struct format_thread *t, bool own)
{
	char path[48], name[sizeof t->name + 1];
	struct str s;
	long n;

	if (own) {
		SYS(prctl, PR_GET_NAME, t->name, 0, 0, 0, 0);
		return;
	}
	str_init(&s, path, sizeof path);
	str_add(&s, "/proc/self/task/");
	str_add_number(&s, (uint64_t)t->tid);
	str_add(&s, "/comm");
	n = process_read(path, name, sizeof name);
	if (n > 0)
		mem_copy(t->name, name, (size_t)n - (name[n - 1] == '\n'));
}

static uint32_t
make_thread(struct slot *s, bool pool)
{
	struct format_thread *t;
	uint32_t index, root;

	root = tree_root();
	index = root == 0 ? 0 : store_take(sizeof *t);
	if (index == 0)
		return 0;
	t = store_at(index);
	t->root = root;
	t->start_mono = sys_clock(CLOCK_MONOTONIC);
	t->members = 1;
	if (pool) {
		t->flags = FORMAT_T_POOL;
		mem_copy(t->name, "(more threads)", 15);
	} else {
		t->tid = s->tid;
		t->cpu_start_ns = s->cpu_start;
		t->flags = (s->main ? FORMAT_T_MAIN : 0) |
		    (s->native ? 0 : FORMAT_T_RAW);
		name_thread(t, is_caller(s));
	}
	return index;
}

static uint32_t
pool_thread(struct slot *s)
{
	uint32_t index = atomic_load(&mon->pool), none = 0;

	if (index == 0) {
		index = make_thread(s, true);
		if (index == 0)
			return 0;
		/* In the list before another's blocks can name it; one of
		   two stays there with nothing. */
		store_publish(&store_head()->threads, index);
		if (atomic_compare_exchange_strong(&mon->pool, &none, index))
			return index;
		((struct format_thread *)store_at(index))->members = 0;
		index = none;
	}
	__atomic_fetch_add(&((struct format_thread *)store_at(index))->members,
	    1, __ATOMIC_RELAXED);
	return index;
}

/* The clock state of a thread, into its record. */
static void
record_clock(struct slot *s)
{
	struct format_header *h = store_header();
	struct format_thread *t;

	if (h == NULL || s->thread == 0)
		return;
	t = store_at(s->thread);
	t->coarse = s->coarse;
	t->fine = s->fine;
	t->coarse_errno = s->coarse_errno;
	t->fine_errno = s->fine_errno;
	t->period_ns = s->period;
	t->fine_ns = s->fine_ns;
	__atomic_fetch_or(&h->coarse_seen, 1u << s->coarse, __ATOMIC_RELAXED);
	__atomic_fetch_or(&h->fine_seen, 1u << s->fine, __ATOMIC_RELAXED);
	if (h->fine_errno == 0)
		h->fine_errno = s->fine_errno;
	if (h->coarse_errno == 0)
		h->coarse_errno = s->coarse_errno;
	if (h->kernel_errno == 0)
		h->kernel_errno = s->kernel_errno;
	if (atomic_load(&s->kernel.map) != NULL)
		h->kernel_seen = 1;
}

static bool
take_record(struct slot *s)
{
	unsigned generation = atomic_load(&mon->store.generation);
	struct format_thread *t;
	uint32_t index;

	if (atomic_load(&mon->threads) >= THREAD_MOST && !s->main) {
		index = pool_thread(s);
	} else {
		index = make_thread(s, false);
		if (index != 0) {
			atomic_fetch_add(&mon->threads, 1);
			store_publish(&store_head()->threads, index);
		}
	}
	if (index == 0)
		return false;
	t = store_at(index);
	s->thread = index;
	s->root = t->root;
	s->generation = generation;
	s->moment_room = s->moment_count = 0;
	record_clock(s);
	return true;
}

static bool
has_record(struct slot *s)
{
	if (s->thread != 0 &&
	    s->generation == atomic_load(&mon->store.generation))
		return true;
	return take_record(s);
}

/* The same for n ticks, which are lost where the thread has no record. */
static bool
has_record_for(struct slot *s, uint64_t n)
{
	const bool has = has_record(s);

	if (!has)
		loss_count(store_refusal(), n);
	return has;
}

bool
record_ready(struct slot *s)
{
	return store_ready() && has_record(s);
}

/* Nowhere but in what the program counts by itself. */
static void
count_without_file(uintptr_t pc, enum record_want want, uint64_t ns)
{
	if (want != RECORD_KERNEL)
		histogram_count(pc, ns);
}

/* There is no file, or another thread is still making it. */
static void
lose(void)
{
	loss_count(atomic_load(&mon->store.state) == STORE_BUSY ?
	    LOSS_STORE_RACE : LOSS_STORE_NONE, 1);
}

/*
 * Ticks can wait in the slot, at the place of any one of them, but none of
 * which only its call would tell later whether it counts.  The thread that
 * makes the file may wait long for a processor: beside 200 others that ran it
 * took 2.5 s of theirs.
 */
static bool
hold(struct slot *s, uintptr_t pc, enum record_want want, uint64_t n,
    uint64_t ns)
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
 * Kernel time of a call shows as a pc behind its instruction.  The way out of
 * the kernel runs with interrupts off, so fine ticks gather there too; the
 * coarse clock has that time already (4 KiB reads came 10 % too high with
 * both).
 */
static bool
is_wanted(const struct slot *s, uintptr_t pc, enum record_want want,
    uintptr_t call_end)
{
	if (want == RECORD_KERNEL)
		return call_end != 0;
	if (want == RECORD_USER)
		return call_end != pc || s->coarse != FORMAT_COARSE_CPU;
	return true;
}

static void
add_at(struct slot *s, struct format_node *node, uint64_t n, uint64_t ns)
{
	struct format_thread *t = store_at(s->thread);

	tree_add(node, n, ns);
	if (config.log)
		moment_add(s, tree_index(node), ns, n == 0);
	__atomic_fetch_add(&t->ticks, n, __ATOMIC_RELAXED);
}

/* The node's index, 0 where there is no room for it. */
static uint32_t
add(struct slot *s, uint32_t parent, uint32_t kind,
    const struct module_hit *hit, uint64_t n, uint64_t ns)
{
	struct format_node *node;

	/* Node 0 would be the header: there was no room for a caller. */
	node = parent == 0 ? NULL :
	    tree_find(parent, kind, hit->record, hit->address);
	if (node == NULL) {
		loss_count(store_refusal(), n);
		return 0;
	}
	if (!hit->known && !hit->unrecorded)
		loss_count(LOSS_PC_UNKNOWN, 1);
	tree_mark(node, hit->known);
	add_at(s, node, n, ns);
	return tree_index(node);
}

/* The program does not want to see where, but that it was is not lost. */
static bool
is_paused(struct slot *s, uint64_t n, uint64_t ns)
{
	const struct module_hit nowhere = { .known = true };

	if (!lineage_is(LINEAGE_PAUSED))
		return false;
	add(s, s->root, FORMAT_PAUSED, &nowhere, n, ns);
	return true;
}

/* No tool wants to see where. */
static bool
is_elsewhere(struct slot *s, const struct module_hit *hit, bool asleep,
    uint64_t n, uint64_t ns)
{
	const struct module_hit nowhere = { .address = asleep, .known = true };

	if (hit->watched)
		return false;
	add(s, s->root, FORMAT_ELSEWHERE, &nowhere, n, ns);
	return true;
}

/* CPU time without a sample that one of ns carries, so that none is large. */
static uint64_t
take_backlog(struct slot *s, uint64_t ns)
{
	uint64_t carried = s->backlog < ns ? s->backlog : ns;

	s->backlog -= carried;
	return carried;
}

/*
 * What one sample stands for goes into the header's sums.  clock: those of the
 * kernel or of the coarse clock, or NULL.
 */
static void
add_weight(uint64_t ns, uint64_t *clock)
{
	struct format_header *h = store_header();
	const uint64_t us = ns / 1000;

	__atomic_fetch_add(&h->sample_ns, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&h->sample_squares, us * us, __ATOMIC_RELAXED);
	if (clock != NULL)
		__atomic_fetch_add(clock, ns, __ATOMIC_RELAXED);
}

static bool
count(struct slot *s, struct module_hit *hit, uintptr_t pc,
    enum record_want want, uint64_t n, uint64_t ns)
{
	uint32_t kind = FORMAT_USER;
	uintptr_t call_end = 0;

	if (want != RECORD_PAST && hit->text != 0)
		call_end = arch_call_end(pc, hit->text, hit->text_end);
	if (!is_wanted(s, pc, want, call_end))
		return false;
	if (s->backlog != 0)
		ns += take_backlog(s, ns);
	histogram_count(pc, ns);
	if (is_paused(s, n, ns) || is_elsewhere(s, hit, false, n, ns)) {
		add_weight(ns, NULL);
		return true;
	}
	if (want != RECORD_USER && call_end != 0) {
		kind = FORMAT_KERNEL;
		hit->address += call_end - pc;
	}
	add_weight(ns, kind == FORMAT_KERNEL ? &store_header()->kernel_ns :
	    want == RECORD_EITHER ? &store_header()->coarse_ns : NULL);
	add(s, path_node(s, want != RECORD_PAST), kind, hit, n, ns);
	return true;
}

/* While another thread reads the map they wait on, unless they cannot. */
static void
count_held(struct slot *s, bool last)
{
	struct module_hit hit;

	if (s->held_ns == 0)
		return;
	modules_find(s->held_pc, &hit);
	if (hit.soon && !last)
		return;
	count(s, &hit, s->held_pc, RECORD_PAST, s->held_ticks, s->held_ns);
	s->held_ns = s->held_ticks = 0;
}

/*
 * Is the file there?  Not looked for while one of these keeps from counting;
 * who asks looks at them once more behind, as a new file may come with orders.
 */
static bool
may_count(unsigned but)
{
	return !lineage_is(but) && store_ready();
}

/* As record_tick(), while there is no file with a record of s. */
static bool
count_unready(struct slot *s, uintptr_t pc, enum record_want want, uint64_t n,
    uint64_t ns)
{
	if (atomic_load(&mon->store.state) == STORE_BUSY &&
	    hold(s, pc, want, n, ns))
		return true;
	count_without_file(pc, want, ns);
	lose();
	return false;
}

bool
record_tick(struct slot *s, uintptr_t pc, enum record_want want, uint64_t n,
    uint64_t ns)
{
	const bool ready = may_count(LINEAGE_UNTIMED);
	struct module_hit hit;

	if (lineage_is(LINEAGE_UNTIMED)) {
		count_without_file(pc, want, ns);
		return false;
	}
	if (!ready)
		return count_unready(s, pc, want, n, ns);
	if (!has_record_for(s, n)) {
		count_without_file(pc, want, ns);
		return false;
	}
	count_held(s, false);
	modules_find(pc, &hit);
	s->last_pc = pc;
	return (hit.soon && hold(s, pc, want, n, ns)) ||
	    count(s, &hit, pc, want, n, ns);
}

void
record_backlog(struct slot *s, uintptr_t pc)
{
	uint64_t ns = s->backlog;

	s->backlog = 0;
	if (ns != 0)
		record_tick(s, pc, RECORD_EITHER, 0, ns);
}

/* The thread is elsewhere: where it was at its last tick. */
static void
count_last_backlog(struct slot *s)
{
	struct module_hit hit;
	uint64_t ns = s->backlog;

	s->backlog = 0;
	if (ns == 0 || s->last_pc == 0)
		return;
	modules_find(s->last_pc, &hit);
	count(s, &hit, s->last_pc, RECORD_PAST, 0, ns);
}

void
record_last(struct slot *s)
{
	if (s->held_ns == 0 && s->backlog == 0)
		return;
	if (store_header() != NULL && has_record(s)) {
		count_held(s, true);
		count_last_backlog(s);
		return;
	}
	if (s->held_ns != 0)
		loss_count(store_header() != NULL ? store_refusal() :
		    LOSS_STORE_RACE, s->held_ticks);
	s->held_ns = s->held_ticks = s->backlog = 0;
}

bool
record_waits(const struct slot *s)
{
	return s->held_ns != 0 &&
	    atomic_load(&mon->store.state) == STORE_BUSY;
}

/* Time in the kernel is where the program called it. */
static bool
is_watched(uintptr_t pc)
{
	struct module_hit hit = { .watched = true };

	if (watch_is_on())
		modules_find(pc, &hit);
	return hit.watched;
}

void
record_kernel(struct slot *s, uintptr_t pc, const struct walk_from *from,
    uint64_t n, uint64_t ns)
{
	struct module_hit hit = { .address = pc, .known = true };
	const bool ready = may_count(LINEAGE_UNTIMED);

	/* To the program it is time of where it was in user mode. */
	histogram_count(s->now, ns);
	if (lineage_is(LINEAGE_UNTIMED))
		return;
	if (!ready) {
		lose();
		return;
	}
	if (!has_record_for(s, n))
		return;
	if (is_paused(s, n, ns)) {
		add_weight(ns, NULL);
		return;
	}
	hit.watched = is_watched(from != NULL ? from->pc : s->now);
	if (is_elsewhere(s, &hit, false, n, ns)) {
		add_weight(ns, NULL);
	} else {
		add_weight(ns, &store_header()->kernel_ns);
		add(s, path_of(s, from, true), FORMAT_KFUNC, &hit, n, ns);
	}
}

uint32_t
record_sleep(struct slot *s, uintptr_t pc, const struct walk_from *from,
    uint64_t ns)
{
	const unsigned but = LINEAGE_PAUSED | LINEAGE_UNTIMED;
	const bool ready = may_count(but);
	struct module_hit hit;
	uint32_t node;

	if (lineage_is(but))
		return 0;
	if (!ready) {
		lose();
		return 0;
	}
	if (!has_record_for(s, 1))
		return 0;
	modules_find(pc, &hit);
	if (is_elsewhere(s, &hit, true, 1, ns))
		return 0;
	node = add(s, path_of(s, from, false), FORMAT_SLEEP, &hit, 1, ns);
	return from != NULL && hit.known ? node : 0;
}

bool
record_sleep_on(struct slot *s, uint32_t node, uint64_t ns)
{
	if (lineage_is(LINEAGE_PAUSED | LINEAGE_UNTIMED) || watch_is_on() ||
	    store_header() == NULL || s->thread == 0 ||
	    s->generation != atomic_load(&mon->store.generation))
		return false;
	add_at(s, store_at(node), 1, ns);
	return true;
}

/*
 * The kernel adds up the CPU time of all threads for that of the process, 10 ns
 * each: beside many threads it is asked seldom enough to take half a per cent.
 */
static bool
is_process_due(const struct format_header *h)
{
	const unsigned live = atomic_load_explicit(&mon->live,
	    memory_order_relaxed);

	return live <= THREADS_FEW || sys_clock(CLOCK_MONOTONIC) -
	    h->cpu_mono >= live * THREAD_NS;
}

void
record_times(struct slot *s)
{
	struct format_header *h = store_header();
	struct format_thread *t;

	if (h == NULL || s->thread == 0 ||
	    s->generation != atomic_load(&mon->store.generation))
		return;
	t = store_at(s->thread);
	s->cpu_ns = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	if ((t->flags & FORMAT_T_POOL) == 0)
		t->cpu_ns = s->cpu_ns;
	if (is_process_due(h))
		record_process_times();
	record_clock(s);
}

void
record_process_times(void)
{
	struct format_header *h = store_header();

	if (h == NULL)
		return;
	h->cpu_ns = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	h->cpu_mono = sys_clock(CLOCK_MONOTONIC);
	children_record(h);
}

/*
 * Context: S.  Makes records of threads, and writes CPU times into them and
 * into the header, for record.c, ticks, ends of threads, freezes and the seal;
 * see thread_record.h.
 */
#include "thread/thread_record.h"

#include "base/store_header.h"
#include "base/str.h"
#include "count/cct.h"
#include "module/proc_info.h"
#include "store/store.h"
#include "thread/children.h"
#include "thread/thread_life.h"

#include <sys/prctl.h>

/*
 * Threads with a record of their own.  Further threads share one, because the
 * file must stay small.
 */
#define THREAD_MOST	8192u

/* up to so many, the process's time is always read: 0.6 us */
#define THREADS_FEW	64u
/* ns between two readings for each thread of the process */
#define THREAD_NS	2000u

/*
 * Returns whether the thread of s calls.  thread_slot_self is not valid in a
 * thread that libc did not make.
 */
static bool
is_calling_thread(const struct thread_slot *s)
{
	return s->native ? s == thread_slot_self : s->tid == sys_gettid();
}

/*
 * Writes the thread's name into t: read by prctl(2) if the thread itself calls
 * (own), or from /proc if another thread makes the record: the helper of
 * clock=wall, or a thread that sets a seccomp filter.
 */
static void
write_thread_name(struct format_thread *t, bool own)
{
	char path[48], name[sizeof(t->name) + 1];
	struct str s;
	long n;

	if (own) {
		SYS(prctl, PR_GET_NAME, t->name, 0, 0, 0, 0);
		return;
	}
	str_init(&s, path, sizeof(path));
	str_add(&s, "/proc/self/task/");
	str_add_number(&s, (uint64_t)t->tid);
	str_add(&s, "/comm");
	n = proc_info_read(path, name, sizeof(name));
	if (n > 0)
		mem_copy(t->name, name, (size_t)n - (name[n - 1] == '\n'));
}

/*
 * Makes a record and a root node for a thread; pool: for all further threads.
 * Returns its index, or 0 if there is no room.
 */
static uint32_t
make_format_thread(struct thread_slot *s, bool pool)
{
	struct format_thread *t;
	uint32_t index, root;

	root = cct_add_root();
	index = root == 0 ? 0 : store_take(sizeof(*t));
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
		t->cpu_start_ns = s->cpu.start;
		t->flags = (s->main ? FORMAT_T_MAIN : 0) |
		    (s->native ? 0 : FORMAT_T_RAW);
		write_thread_name(t, is_calling_thread(s));
	}
	return index;
}

/*
 * Makes the thread of s a member of the record that all further threads share;
 * makes that record if there is none.  Returns its index, or 0 if there is no
 * room.
 */
static uint32_t
join_pool_record(struct thread_slot *s)
{
	uint32_t index = atomic_load(&mon->pool), none = 0;

	if (index == 0) {
		index = make_format_thread(s, true);
		if (index == 0)
			return 0;
		/*
		 * It is published before records of another thread can name it.
		 * If two are made, the second stays in the list and is empty.
		 */
		store_publish(&store_raw_header()->threads, index);
		if (atomic_compare_exchange_strong(&mon->pool, &none, index))
			return index;
		((struct format_thread *)store_at(index))->members = 0;
		index = none;
	}
	__atomic_fetch_add(&((struct format_thread *)store_at(index))->members,
	    1, __ATOMIC_RELAXED);
	return index;
}

/* Writes the state of a thread's clocks into its record. */
static void
write_clock_state(struct thread_slot *s)
{
	struct format_header *h = store_header();
	struct format_thread *t;

	if (h == NULL || s->records.thread == 0)
		return;
	t = store_at(s->records.thread);
	t->coarse = s->coarse_clock.kind;
	t->fine = s->fine_clock.state;
	t->coarse_errno = s->coarse_clock.error;
	t->fine_errno = s->fine_clock.error;
	t->period_ns = s->fine_clock.period;
	t->fine_ns = s->fine_clock.ns;
	__atomic_fetch_or(&h->coarse_seen, 1u << s->coarse_clock.kind,
	    __ATOMIC_RELAXED);
	__atomic_fetch_or(&h->fine_seen, 1u << s->fine_clock.state,
	    __ATOMIC_RELAXED);
	if (h->fine_errno == 0)
		h->fine_errno = s->fine_clock.error;
	if (h->coarse_errno == 0)
		h->coarse_errno = s->coarse_clock.error;
	if (h->kernel_errno == 0)
		h->kernel_errno = s->kernel_clock.error;
	if (atomic_load(&s->kernel_clock.ring.map) != NULL)
		h->kernel_seen = 1;
}

/*
 * Gives the thread of s a record in the present file: its own, or the shared
 * one.  Returns false if there is no room.
 */
static bool
assign_thread_record(struct thread_slot *s)
{
	unsigned generation = atomic_load(&mon->store.generation);
	struct format_thread *t;
	uint32_t index;

	if (atomic_load(&mon->threads) >= THREAD_MOST && !s->main) {
		index = join_pool_record(s);
	} else {
		index = make_format_thread(s, false);
		if (index != 0) {
			atomic_fetch_add(&mon->threads, 1);
			store_publish(&store_raw_header()->threads, index);
		}
	}
	if (index == 0)
		return false;
	t = store_at(index);
	s->records.thread = index;
	s->records.root = t->root;
	s->records.generation = generation;
	s->log.room = s->log.count = 0;
	write_clock_state(s);
	return true;
}

bool
thread_record_make(struct thread_slot *s)
{
	if (s->records.thread != 0 &&
	    s->records.generation == atomic_load(&mon->store.generation))
		return true;
	return assign_thread_record(s);
}

/*
 * Returns whether to read the CPU time of the process now.  The kernel adds up
 * that of all threads, at 10 ns each; with many threads it is read so seldom
 * that this takes half a per cent.
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
thread_record_times(struct thread_slot *s)
{
	struct format_header *h = store_header();
	struct format_thread *t;

	if (h == NULL || s->records.thread == 0 ||
	    s->records.generation != atomic_load(&mon->store.generation))
		return;
	t = store_at(s->records.thread);
	s->cpu.ns = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	if ((t->flags & FORMAT_T_POOL) == 0)
		t->cpu_ns = s->cpu.ns;
	if (is_process_due(h))
		thread_record_process_times();
	write_clock_state(s);
}

void
thread_record_process_times(void)
{
	struct format_header *h = store_header();

	if (h == NULL)
		return;
	h->cpu_ns = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	h->cpu_mono = sys_clock(CLOCK_MONOTONIC);
	thread_life_write(h);
	children_write(h);
}

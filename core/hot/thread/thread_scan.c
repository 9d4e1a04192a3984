/*
 * Context: S.  Finds and clocks threads without a slot, for ticks, a late
 * start, and the hooks of clone and sigaltstack; see thread_scan.h.  A scan
 * runs by private_fds_run(), perhaps in a helper thread, so it uses no TLS.
 */
#include "thread/thread_scan.h"

#include "base/loss_count.h"
#include "base/str.h"
#include "clock/cpu_timer.h"
#include "module/module_stale.h"
#include "module/modules.h"
#include "module/proc_info.h"
#include "thread/private_fds.h"
#include "thread/thread_life.h"
#include "thread/thread_slot.h"
#include "thread/thread_slot_each.h"

#define THREAD_SCAN_NS	1000000000u
/* ns of the unit in which the kernel tells when a thread began */
#define THREAD_SCAN_TICK	10000000u

/* An entry of getdents64(2). */
struct dirent64 {
	uint64_t ino;
	int64_t off;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

/*
 * Gives the thread of s a coarse clock, or leaves it to the process clock.
 * Returns false, and counts a loss, if it can have none.
 */
static bool
start_attached_clock(struct thread_slot *s)
{
	if (atomic_load(&mon->process_tier)) {
		/* the process clock counts all threads */
		s->coarse_clock.kind = FORMAT_COARSE_PROCESS;
		return true;
	}
	if (cpu_timer_arm(s) == 0)
		return true;
	loss_count(LOSS_THREAD_CLOCK, 1);
	return false;
}

struct thread_slot *
thread_scan_take(int tid)
{
	struct thread_slot *s = thread_slot_take_or_add();

	if (s == NULL)
		return NULL;
	s->tid = tid;
	s->native = false;
	s->main = false;
	s->fine_clock.state = FORMAT_FINE_NEVER;
	s->records.thread = 0;
	s->cpu.start = 0;
	return s;
}

struct thread_slot *
thread_scan_attach(struct thread_slot *s)
{
	/*
	 * The start wrapper of the thread either sees this slot live and waits
	 * for us, or we see the wrapper's slot.
	 */
	atomic_store(&s->busy, 1);
	atomic_fetch_add(&mon->live, 1);
	thread_life_begin(s);
	atomic_store(&s->state, THREAD_SLOT_LIVE);
	thread_slot_index_add(s);
	if (thread_slot_count(s->tid) > 1 || !start_attached_clock(s)) {
		thread_slot_abandon(s);
		return NULL;
	}
	atomic_store_explicit(&s->busy, 0, memory_order_release);
	return s;
}

/* A search for the slot of a thread that has ended for libc. */
struct ended_search {
	int tid;
	uint64_t cpu;		/* CPU time of that thread now, ns */
	/* its age, ns, and up to a scheduler tick more; 0: not known */
	uint64_t age;
	uint64_t now;		/* CLOCK_MONOTONIC before age was read, ns */
	bool found;
};

/*
 * A new thread that was given the number of one that is gone is younger than
 * the end of that, and has used less CPU time as a rule.
 */
static void
compare_ended_slot(struct thread_slot *s, void *arg)
{
	struct ended_search *q = arg;

	if (s->tid != q->tid || atomic_load(&s->state) != THREAD_SLOT_ENDED)
		return;
	/* It may have ended after q->now was read. */
	if (q->age != 0 && s->life.ended != 0 && s->life.ended < q->now &&
	    q->age < q->now - s->life.ended)
		return;
	q->found |= q->cpu >= s->cpu.ns;
}

/*
 * Returns how long ago a thread was made, ns, or 0.  The kernel tells the
 * beginning to a scheduler tick below it, and the time in which the machine was
 * suspended counts: so it is never less than that.
 */
static uint64_t
thread_age(int tid)
{
	uint64_t start, now;
	int ppid;

	if (proc_info_stat(tid, &ppid, &start) != 0)
		return 0;
	now = sys_clock(CLOCK_BOOTTIME);
	return now > start * THREAD_SCAN_TICK ? now - start * THREAD_SCAN_TICK :
	    0;
}

/*
 * Returns whether the thread has ended for libc and still runs destructors.
 * The clock of its slot goes on, and a second one would count its time twice.
 */
static bool
runs_destructors(int tid)
{
	struct ended_search q = { .tid = tid };

	if (atomic_load(&mon->in_use) == atomic_load(&mon->live))
		return false;
	q.cpu = cpu_timer_thread_time(tid);
	/*
	 * The end is not taken for longer ago than it was when the age is read,
	 * even if this thread loses the processor in between.
	 */
	q.now = sys_clock(CLOCK_MONOTONIC);
	q.age = thread_age(tid);
	thread_slot_for_each(compare_ended_slot, &q);
	return q.found;
}

/*
 * Clocks the thread that an entry of /proc/self/task names, unless it has a
 * slot or is one of ours.
 */
static void
attach_task_entry(const char *name)
{
	int tid = (int)str_decimal(&name);
	struct thread_slot *s;

	/* A thread that is left out is met by a later scan. */
	if (tid == 0 || !private_fds_helpers_noted() ||
	    private_fds_is_helper(tid) ||
	    tid == atomic_load(&mon->wall_tid))
		return;
	if (thread_slot_of_tid(tid) != NULL || runs_destructors(tid))
		return;
	s = thread_scan_take(tid);
	if (s == NULL)
		return;
	thread_life_set_found(s);
	thread_scan_attach(s);
}

/*
 * Clocks all threads without a slot, for private_fds_run().  Returns 0 or
 * -errno.
 */
static int
scan_task_directory(void *unused)
{
	char buf[1024] __attribute__((aligned(8)));
	long n;
	int fd;

	(void)unused;
	fd = sys_open("/proc/self/task", O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return fd;
	while ((n = SYS(getdents64, fd, buf, sizeof(buf), 0, 0, 0)) > 0) {
		for (long at = 0; at < n;) {
			struct dirent64 *d = (void *)(buf + at);

			attach_task_entry(d->name);
			at += d->bytes;
		}
	}
	sys_close(fd);
	return 0;
}

void
thread_scan_now(void)
{
	thread_slot_reclaim();
	private_fds_run(scan_task_directory, NULL);
}

void
thread_scan_if_due(void)
{
	uint64_t now = sys_clock(CLOCK_MONOTONIC);
	uint64_t last = atomic_load(&mon->swept_mono);

	if (now - last < THREAD_SCAN_NS ||
	    !atomic_compare_exchange_strong(&mon->swept_mono, &last, now))
		return;
	/* at the first call the map has just been read */
	if (last != 0)
		/* objects may have been mapped without a hook of ours */
		module_stale_mark();
	if (proc_info_thread_count() != atomic_load(&mon->live) +
	    (atomic_load(&mon->wall_tid) != 0))
		thread_scan_now();
}

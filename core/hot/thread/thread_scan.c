/*
 * Context: S.  Finds threads that were made without a call of our hooks, and
 * clocks them.
 */
#include "thread/thread_scan.h"

#include "base/loss_count.h"
#include "base/str.h"
#include "clock/cpu_timer.h"
#include "module/module_stale.h"
#include "module/modules.h"
#include "module/proc_info.h"
#include "thread/private_fds.h"
#include "thread/thread_slot.h"

#define THREAD_SCAN_NS	1000000000u

/* An entry of getdents64(2). */
struct dirent64 {
	uint64_t ino;
	int64_t off;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

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
thread_scan_attach(int tid)
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
	/*
	 * The start wrapper of the thread either sees this slot live and waits
	 * for us, or we see the wrapper's slot.
	 */
	atomic_store(&s->busy, 1);
	atomic_fetch_add(&mon->live, 1);
	atomic_store(&s->state, THREAD_SLOT_LIVE);
	thread_slot_index_add(s);
	if (thread_slot_count(tid) > 1 || !start_attached_clock(s)) {
		thread_slot_abandon(s);
		return NULL;
	}
	atomic_store_explicit(&s->busy, 0, memory_order_release);
	return s;
}

static void
attach_task_entry(const char *name)
{
	int tid = (int)str_decimal(&name);
	struct thread_slot *s;

	if (tid == 0 || private_fds_is_helper(tid) ||
	    tid == atomic_load(&mon->wall_tid))
		return;
	s = thread_slot_of_tid(tid);
	if (s == NULL)
		thread_scan_attach(tid);
}

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

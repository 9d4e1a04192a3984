/* Context: S.  Threads that came without passing a hook of ours. */
#include "sweep.h"

#include "aside.h"
#include "coarse.h"
#include "modules.h"
#include "process.h"
#include "slot.h"
#include "str.h"

#define SWEEP_NS	1000000000u

struct dirent64 {
	uint64_t ino;
	int64_t off;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

static bool
start_clock(struct slot *s)
{
	if (atomic_load(&mon->process_tier)) {
		s->coarse = FORMAT_COARSE_PROCESS;	/* it counts all */
		return true;
	}
	if (coarse_arm(s) == 0)
		return true;
	loss_count(LOSS_THREAD_CLOCK, 1);
	return false;
}

struct slot *
sweep_adopt(int tid)
{
	struct slot *s = slot_take_reclaimed();

	if (s == NULL)
		return NULL;
	s->tid = tid;
	s->native = false;
	s->main = false;
	s->fine = FORMAT_FINE_NEVER;
	s->thread = 0;
	s->cpu_start = 0;
	/* Its wrapper sees it live and waits for us, or is seen by us. */
	atomic_store(&s->busy, 1);
	atomic_fetch_add(&mon->live, 1);
	atomic_store(&s->state, SLOT_LIVE);
	slot_enter(s);
	if (slot_count(tid) > 1 || !start_clock(s)) {
		slot_drop(s);
		return NULL;
	}
	atomic_store_explicit(&s->busy, 0, memory_order_release);
	return s;
}

static void
look_at(const char *name)
{
	int tid = (int)str_decimal(&name);
	struct slot *s;

	if (tid == 0 || aside_is(tid) || tid == atomic_load(&mon->wall_tid))
		return;
	s = slot_of(tid);
	if (s == NULL)
		sweep_adopt(tid);
}

static int
sweep(void *unused)
{
	char buf[1024] __attribute__((aligned(8)));
	long n, at;
	int fd;

	(void)unused;
	fd = sys_open("/proc/self/task", O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return fd;
	while ((n = SYS(getdents64, fd, buf, sizeof buf, 0, 0, 0)) > 0) {
		for (at = 0; at < n;) {
			struct dirent64 *d = (void *)(buf + at);

			look_at(d->name);
			at += d->bytes;
		}
	}
	sys_close(fd);
	return 0;
}

void
sweep_now(void)
{
	slot_reclaim();
	aside(sweep, NULL);
}

void
sweep_sometimes(void)
{
	uint64_t now = sys_clock(CLOCK_MONOTONIC);
	uint64_t last = atomic_load(&mon->swept_mono);

	if (now - last < SWEEP_NS ||
	    !atomic_compare_exchange_strong(&mon->swept_mono, &last, now))
		return;
	if (last != 0)		/* or the map has just been read */
		modules_stale();	/* mapped without a hook of ours */
	if (process_threads() != atomic_load(&mon->live) +
	    (atomic_load(&mon->wall_tid) != 0))
		sweep_now();
}

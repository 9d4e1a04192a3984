/*
 * Context: S.  clock=wall: the helper that looks at sleeping threads.
 *
 * A sleeper is not signalled, which would end its call with EINTR: the kernel
 * says in /proc/self/task/TID/syscall in which call it is and where that
 * returns to.  Running threads are the clocks' business.  libc does not know
 * the helper, so nothing here may use TLS.
 *
 * A sleeper may wake at any time and unmap its stack: that is copied by the
 * kernel, and holds if the thread has not run since.
 */
#include "wall.h"

#include "aside.h"
#include "process.h"
#include "record.h"
#include "region.h"
#include "slot.h"
#include "str.h"
#include "walk.h"

#include <linux/futex.h>
#ifndef SYS_close_range
#define SYS_close_range	436
#endif
#include <sched.h>
#include <sys/uio.h>

#define ROUND_NS	10000000u	/* 100 Hz */
#define IDLE_ROUNDS	10u		/* while nothing is to be counted */
#define SHARE		200u		/* a round may cost 1/200 of the time */
#define CLOSE_MOST	65536
#define COPY_WORDS	2048u		/* of a sleeper's stack */
#define MAP_BYTES	(80u << 10)	/* with the helper's own */
#define LINE_BYTES	256u

/* One for each helper: the next may begin while the last one ends. */
struct wall {
	uint64_t began;		/* monotonic; it may have to wait itself */
	_Atomic unsigned stop;
	_Atomic int alive;	/* cleared by the kernel at its end */
	int tid;
	int stopper;		/* who waits for its end, 0 nobody yet */
	bool copies;		/* may it copy stacks? */
	bool idle;		/* nothing was counted at its last round */
	/* Of the sleeper that it looks at. */
	struct walk_from from;
	char line[LINE_BYTES];	/* ... the call that it is in */
	char runs[LINE_BYTES];	/* ... how often and long it ran until then */
	char after[LINE_BYTES];
	uint64_t copy[COPY_WORDS];
};

static int
futex(const void *word, int op, unsigned value, const struct timespec *t)
{
	return (int)SYS(futex, word, op, value, t, 0, 0);
}

/* Without /proc, or with another namespace's, the living have no entry. */
static bool
has_ended(int tid, long error)
{
	return error == -ESRCH || (error == -ENOENT &&
	    sys_tgkill(mon->pid, tid, 0) == -ESRCH);
}

/* What the kernel says of a thread in that line; > 0: bytes. */
static long
read_task(int tid, const char *name, char *line)
{
	char path[48];
	struct str s;

	str_init(&s, path, sizeof path);
	str_add(&s, "/proc/self/task/");
	str_add_number(&s, (uint64_t)tid);
	str_add(&s, name);
	return process_read(path, line, LINE_BYTES);
}

/* Zeros are of a kernel that keeps no such numbers. */
static bool
read_runs(int tid, char *line)
{
	return read_task(tid, "/schedstat", line) > 0 &&
	    !str_begins(line, "0 0 0");
}

static uintptr_t
hex_word(const char *word)
{
	if (!str_begins(word, "0x"))
		return 0;
	word += 2;
	return (uintptr_t)str_hex(&word);
}

/* "NR ARG... SP PC" or "-1 SP PC" when blocked; "running". */
static bool
parse_call(struct walk_from *from, const char *line)
{
	const char *p, *last = line, *before = line;

	for (p = line; *p != '\0'; p++) {
		if (*p == ' ') {
			before = last;
			last = p + 1;
		}
	}
	from->pc = hex_word(last);
	from->sp = hex_word(before);
	from->called = from->registers = false;
	from->all = NULL;
	return from->pc != 0;
}

static bool
is_asleep(struct wall *w, int tid)
{
	long n;

	if (!w->copies || !read_runs(tid, w->runs))
		w->runs[0] = '\0';
	n = read_task(tid, "/syscall", w->line);
	if (n <= 0 && !has_ended(tid, n))
		loss_count(LOSS_SLEEP_READ, 1);
	return n > 0 && parse_call(&w->from, w->line);
}

/* As much as there is.  The kernel copies: what is not there is no fault. */
static void
copy_stack(struct wall *w)
{
	const struct iovec to = {w->copy, sizeof w->copy};
	const struct iovec stack = {(void *)w->from.sp, sizeof w->copy};
	long n = SYS(process_vm_readv, mon->pid, &to, 1, &stack, 1, 0);

	w->from.words = n <= 0 ? 0 : (unsigned)n / 8;
}

/* In the same call as before it may be anew: unless it has not run at all. */
static bool
sleeps_on(struct wall *w, int tid)
{
	if (w->runs[0] != '\0')
		return read_runs(tid, w->after) &&
		    str_equal(w->runs, w->after);
	return read_task(tid, "/syscall", w->after) > 0 &&
	    str_equal(w->line, w->after);
}

static bool
has_stack(struct wall *w, int tid)
{
	w->from.stack = w->copy;
	w->from.words = 0;
	if (!w->copies)
		return true;
	copy_stack(w);
	return sleeps_on(w, tid);
}

struct round {
	struct wall *wall;
	uint64_t ns;
	int stopper;
};

/* No handler waits: a tick during the record is lost, and counted. */
static void
look(struct slot *s, void *arg)
{
	const struct round *r = arg;
	struct wall *w = r->wall;
	int tid = s->tid;

	if (atomic_load(&s->state) != SLOT_LIVE || tid == r->stopper)
		return;
	if (!is_asleep(w, tid) || atomic_exchange(&s->busy, 1) != 0)
		return;
	if (atomic_load(&s->state) == SLOT_LIVE && s->tid == tid)
		record_sleep(s, w->from.pc, has_stack(w, tid) ? &w->from :
		    NULL, r->ns);
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

static void
wait_round(const struct wall *w, uint64_t ns)
{
	struct timespec t;

	t.tv_sec = (time_t)(ns / 1000000000u);
	t.tv_nsec = (long)(ns % 1000000000u);
	futex(&w->stop, FUTEX_WAIT_PRIVATE, 0, &t);
}

/* Before Linux 5.9. */
static void
close_one_by_one(void)
{
	struct rlimit r = {1024, 1024};
	int fd;

	SYS(prlimit64, 0, RLIMIT_NOFILE, NULL, &r, 0, 0);
	for (fd = 0; fd < (int)r.rlim_cur && fd < CLOSE_MOST; fd++)
		sys_close(fd);
}

/* Nothing beside us but what waits to be reaped: the process is to end. */
static bool
last_one(void)
{
	char stat[768];
	unsigned n = process_threads();

	if (n == 1)
		return true;
	return n == 2 && process_read("/proc/self/stat", stat,
	    sizeof stat) > 0 && process_is_zombie(stat);
}

/*
 * Never in step with the program: up to a quarter more or less.  `cost` is what
 * two rounds took at least, as one alone may have made the file.
 */
static uint64_t
choose_wait(uint64_t cost, uint64_t *random)
{
	uint64_t wait = SHARE * cost;

	if (wait < ROUND_NS)
		wait = ROUND_NS;
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return wait - wait / 4 + (*random >> 32) % (wait / 2);
}

/* Weights are the time that really passed, so that late rounds tell no lies. */
static void
round_of(struct wall *w, uint64_t *last, int stopper)
{
	uint64_t now = sys_clock(CLOCK_MONOTONIC);
	struct round r = {w, now - *last, stopper};

	bool was_idle = w->idle;

	*last = now;
	w->idle = lineage_is(LINEAGE_UNTIMED);
	/* What passed since the last one may be of both: it is not counted. */
	if (!was_idle && !w->idle && atomic_load(&mon->running) &&
	    !atomic_load(&mon->frozen))
		slot_each(look, &r);
}

/* What it cost, not how long others kept it from running. */
static uint64_t
cost_since(uint64_t *cpu)
{
	uint64_t before = *cpu;

	*cpu = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	return *cpu - before;
}

static void
rounds(void *wall)
{
	struct wall *w = wall;
	uint64_t last = w->began, random = last;
	uint64_t cpu = 0, before = 0, cost;
	bool stopped = false;

	w->copies = config.stack != FORMAT_STACK_OFF &&
	    !process_is_filtered();
	/* The table is a copy: kept open, it would keep pipes from ending. */
	if (SYS(close_range, 0, ~0u, 0, 0, 0, 0) != 0)
		close_one_by_one();
	/* Told to stop, it looks a last time, though it may never have run. */
	while (!stopped && !last_one()) {
		cost = cost_since(&cpu);
		wait_round(w, choose_wait(cost < before ? cost : before,
		    &random) * (w->idle ? IDLE_ROUNDS : 1));
		before = cost;
		stopped = atomic_load(&w->stop) != 0;
		round_of(w, &last, stopped ? w->stopper : 0);
	}
}

/* Gone from the process, and so is its stack. */
static void
end(struct wall *w)
{
	int alive, tid;

	if (w == NULL)
		return;
	w->stopper = sys_gettid();	/* asleep in here, not in the program */
	atomic_store(&w->stop, 1);
	futex(&w->stop, FUTEX_WAKE_PRIVATE, 1, NULL);
	/* The kernel wakes the shared futex of CLONE_CHILD_CLEARTID. */
	while ((alive = atomic_load(&w->alive)) != 0)
		futex(&w->alive, FUTEX_WAIT, (unsigned)alive, NULL);
	tid = w->tid;
	aside_await(tid);
	region_unmap(w, MAP_BYTES);
	atomic_compare_exchange_strong(&mon->wall_tid, &tid, 0);
}

static long
make(struct wall *w)
{
	/* No CLONE_FILES: what it opens is not the program's. */
	const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND |
	    CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
	sys_sigset all = ~(sys_sigset)0, before;
	long tid;

	sys_sigprocmask(SIG_SETMASK, &all, &before);
	atomic_store(&w->alive, 1);
	tid = arch_thread(flags, (char *)w + MAP_BYTES, (int *)&w->alive,
	    rounds, w);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
	return tid;
}

int
wall_start(void)
{
	struct wall *w = region_memory(MAP_BYTES);
	long tid;

	if (w == NULL)
		return -ENOMEM;
	w->began = sys_clock(CLOCK_MONOTONIC);
	tid = make(w);
	if (tid < 0) {
		region_unmap(w, MAP_BYTES);
		return (int)tid;
	}
	w->tid = (int)tid;
	atomic_store(&mon->wall_tid, w->tid);
	end(atomic_exchange(&mon->wall, w));
	return 0;
}

void
wall_stop(void)
{
	end(atomic_exchange(&mon->wall, NULL));
}

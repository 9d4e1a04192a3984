/* Context: O.  Tests of core/hot/clock/wall_sampler.c: its helper comes and
 * goes. */
#include "clock/wall_sampler.h"

#include "clock/sleep_sampler.h"
#include "module/proc_info.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void
start(void)
{
	target_init();
	target_birth();
	target_slot();
}

TestSuite(wall_sampler, .init = start, .fini = target_fini, .timeout = 60);

static long
mapped_pages(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long n = 0;

	cr_assert_not_null(f);
	cr_assert_eq(fscanf(f, "%ld", &n), 1);
	fclose(f);
	return n;
}

/* unshare(2) and setns(2) stop it, each time. */
Test(wall_sampler, leaves_nothing_mapped)
{
	long before;
	int i;

	cr_assert_eq(wall_sampler_start(), 0);
	wall_sampler_stop();
	before = mapped_pages();
	for (i = 0; i < 50; i++) {
		cr_assert_eq(wall_sampler_start(), 0);
		wall_sampler_stop();
	}
	cr_expect_lt(mapped_pages() - before, 50);
	cr_expect_eq(atomic_load(&mon->wall_tid), 0);
}

Test(wall_sampler, is_one_at_a_time)
{
	unsigned others = proc_info_thread_count();

	cr_assert_eq(wall_sampler_start(), 0);
	cr_assert_eq(wall_sampler_start(), 0);
	cr_expect_eq(proc_info_thread_count(), others + 1);
	wall_sampler_stop();
	cr_expect_eq(proc_info_thread_count(), others);
	wall_sampler_stop();
}

static uint64_t
samples(void)
{
	struct target_file t;
	uint64_t n;

	target_read(&t, mon->store.path);
	n = t.count;
	target_read_fini(&t);
	return n;
}

/* Shorter than a round: the look at the end is the only one. */
static void
run_for(uint64_t ns)
{
	uint64_t end = sys_clock(CLOCK_MONOTONIC) + ns;

	cr_assert_eq(wall_sampler_start(), 0);
	while (sys_clock(CLOCK_MONOTONIC) < end)
		;
	wall_sampler_stop();
}

Test(wall_sampler, who_ends_it_is_not_asleep)
{
	int i;

	for (i = 0; i < 50; i++)
		run_for(6000000);
	cr_expect_leq(samples(), 1, "%lu of 50", samples());
}

static void *
sleep_for_long(void *slot)
{
	atomic_store((_Atomic(struct thread_slot *) *)slot, target_slot());
	usleep(500000);
	return NULL;
}

static void
beside_a_sleeper(uint64_t ns)
{
	_Atomic(struct thread_slot *) s = NULL;
	pthread_t thread;
	uint64_t n;

	pthread_create(&thread, NULL, sleep_for_long, &s);
	while (atomic_load(&s) == NULL)
		usleep(1000);
	usleep(50000);
	run_for(ns);
	n = samples();
	pthread_join(thread, NULL);
	cr_expect_geq(n, 1);
}

Test(wall_sampler, others_are_looked_at_to_the_end)
{
	beside_a_sleeper(6000000);
}

/* With one processor it has not begun when it is told to stop. */
Test(wall_sampler, others_are_looked_at_by_a_helper_that_came_late)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
	beside_a_sleeper(1000000);
}

/* A thread that wakes often, and sleeps at the end. */
struct waker {
	_Atomic(struct thread_slot *) slot;
	int end[2];		/* a pipe */
};

static void *
wake_often(void *arg)
{
	struct waker *w = arg;
	uint64_t busy;
	char c;
	int i;

	atomic_store(&w->slot, target_slot());
	for (i = 0; i < 150; i++) {
		usleep(1000);
		busy = sys_clock(CLOCK_MONOTONIC) + 300000;
		while (sys_clock(CLOCK_MONOTONIC) < busy)
			;
	}
	return read(w->end[0], &c, 1) == 1 ? NULL : arg;
}

/* Waits until the kernel says that the thread is in that call. */
static void
await_call(int tid, long nr)
{
	char path[64];
	FILE *f;
	long n;

	snprintf(path, sizeof path, "/proc/self/task/%d/syscall", tid);
	do {
		usleep(1000);
		f = fopen(path, "r");
		cr_assert_not_null(f);
		if (fscanf(f, "%ld", &n) != 1)
			n = -1;
		fclose(f);
	} while (n != nr);
}

static void
read_account(int tid, uint64_t *cpu, uint64_t *delay)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", tid);
	f = fopen(path, "r");
	cr_assert_not_null(f);
	cr_assert_eq(fscanf(f, "%lu %lu", cpu, delay), 2);
	fclose(f);
}

static uint64_t
asleep_ns(void)
{
	struct target_file t;
	uint64_t ns;

	target_read(&t, mon->store.path);
	ns = t.ns;
	target_read_fini(&t);
	return ns;
}

/* The helper has met the thread before. */
static void
meet(const struct thread_slot *s)
{
	cr_assert_eq(wall_sampler_start(), 0);
	while (__atomic_load_n(&s->wall.epoch, __ATOMIC_RELAXED) == 0)
		usleep(1000);
	wall_sampler_abort();
}

/*
 * A thread's elapsed time is the sum of running, waiting for a processor and
 * sleeping, however rarely the helper looks, and even if the helper was away
 * meanwhile.
 */
static void
adds_up(unsigned breaks)
{
	struct waker w = {.slot = NULL};
	uint64_t now, slept, cpu, delay;
	struct thread_slot *s, first;
	pthread_t thread;
	char c = 0;

	atomic_store(&mon->first_chunk[0].state, THREAD_SLOT_ENDED);
	cr_assert_eq(pipe(w.end), 0);
	pthread_create(&thread, NULL, wake_often, &w);
	while ((s = atomic_load(&w.slot)) == NULL)
		usleep(100);
	meet(s);
	first = *s;
	slept = asleep_ns();
	cr_assert_eq(wall_sampler_start(), 0);
	for (; breaks > 0; breaks--) {
		usleep(20000);
		wall_sampler_abort();
		usleep(5000);
		cr_assert_eq(wall_sampler_start(), 0);
	}
	await_call(s->tid, SYS_read);
	now = sys_clock(CLOCK_MONOTONIC);
	wall_sampler_stop();
	slept = asleep_ns() - slept;
	read_account(s->tid, &cpu, &delay);
	cr_expect_geq(s->wall.mono, now);
	cr_expect_eq(s->wall.cpu, cpu);
	cr_expect_eq(s->wall.delay, delay);
	cr_expect_eq(slept, s->wall.mono - first.wall.mono -
	    (cpu - first.wall.cpu) - (delay - first.wall.delay));
	cr_assert_eq(write(w.end[1], &c, 1), 1);
	pthread_join(thread, NULL);
}

Test(wall_sampler, sums)
{
	adds_up(0);
}

Test(wall_sampler, sums_where_it_was_away)
{
	adds_up(5);
}

static void *
end_when_told(void *arg)
{
	struct waker *w = arg;
	struct thread_slot *s = target_slot();
	char c;

	atomic_store(&w->slot, s);
	if (read(w->end[0], &c, 1) == 1)
		sleep_sampler_end(s);
	return NULL;
}

/* A thread can sleep for long between two looks, and end. */
Test(wall_sampler, a_thread_counts_itself_how_it_ended)
{
	struct waker w = {.slot = NULL};
	pthread_t thread;
	struct thread_slot *s;
	uint64_t looked;
	char c = 0;

	atomic_store(&mon->first_chunk[0].state, THREAD_SLOT_ENDED);
	cr_assert_eq(pipe(w.end), 0);
	cr_assert_eq(wall_sampler_start(), 0);
	pthread_create(&thread, NULL, end_when_told, &w);
	while ((s = atomic_load(&w.slot)) == NULL ||
	    __atomic_load_n(&s->wall.node, __ATOMIC_ACQUIRE) == 0)
		usleep(1000);
	wall_sampler_abort();
	looked = s->wall.mono;
	usleep(50000);
	cr_assert_eq(write(w.end[1], &c, 1), 1);
	pthread_join(thread, NULL);
	cr_expect_geq(s->wall.mono - looked, 50000000u);
	cr_expect_geq(asleep_ns(), s->wall.mono - looked -
	    (s->wall.cpu + s->wall.delay));
}

/* unshare(2) and setns(2) leave to the next helper what was not looked at. */
Test(wall_sampler, goes_on_where_it_was_paused)
{
	_Atomic(struct thread_slot *) s = NULL;
	pthread_t thread;

	cr_assert_eq(wall_sampler_start(), 0);
	pthread_create(&thread, NULL, sleep_for_long, &s);
	while (atomic_load(&s) == NULL)
		usleep(1000);
	usleep(50000);
	wall_sampler_abort();
	usleep(200000);
	cr_assert_eq(wall_sampler_start(), 0);
	wall_sampler_stop();
	cr_expect_gt(asleep_ns(), 200000000u);
	pthread_join(thread, NULL);
}

/* No such entry in /proc, but a thread: here one of another process. */
Test(wall_sampler, counts_whom_it_cannot_look_at)
{
	pid_t pid = fork();
	uint64_t seen;

	if (pid == 0) {
		pause();
		_exit(0);
	}
	mon->first_chunk[0].tid = mon->pid = pid;
	run_for(6000000);
	kill(pid, SIGKILL);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	seen = target_loss(LOSS_SLEEP_READ);
	cr_expect_geq(seen, 1);
	run_for(6000000);
	cr_expect_eq(target_loss(LOSS_SLEEP_READ), seen, "it has ended");
}

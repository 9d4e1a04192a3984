/*
 * Context: O. Tests of core/runtime/life/thread.c and
 * core/hot/thread/thread_scan.c: one slot a thread, whoever comes first.
 */
#include "clock/cpu_timer.h"
#include "life/thread.h"
#include "target.h"
#include "thread/private_fds.h"
#include "thread/thread_scan.h"
#include "thread/thread_slot.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

static void
start(void)
{
	target_init();
	target_slot();
}

TestSuite(thread, .init = start, .fini = target_fini);

/* How many live slots its thread has, and how many of them have a clock. */
static void *
count_own(void *unused)
{
	(void)unused;
	return (void *)(uintptr_t)(thread_slot_count(gettid()) * 16 +
	    (atomic_load(&thread_slot_self->coarse_clock.timer) != 0));
}

static void *
meet_and_run(void *slot)
{
	thread_attach();
	return thread_run(slot);
}

static uintptr_t
run(void *(*fn)(void *))
{
	struct thread_slot *s = thread_prepare(count_own, NULL, 0);
	pthread_t thread;
	void *ret;
	int i;

	cr_assert_not_null(s);
	cr_assert_eq(pthread_create(&thread, NULL, fn, s), 0);
	pthread_join(thread, &ret);
	/* It is joined a moment before the kernel has it no more. */
	for (i = 0; i < 1000 && atomic_load(&s->state) != THREAD_SLOT_FREE;
	    i++) {
		thread_slot_reclaim();
		usleep(1000);
	}
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_FREE);
	return (uintptr_t)ret;
}

Test(thread, has_one_slot)
{
	cr_expect_eq(run(thread_run), 16 + 1);
}

/* A handler that set an alternate stack was before its wrapper. */
Test(thread, met_before_it_runs)
{
	cr_expect_eq(run(meet_and_run), 16 + 1);
}

/* A scan that saw it before its wrapper made it live, and is slower. */
Test(thread, adopted_too_late)
{
	unsigned live = atomic_load(&mon->live);
	int timers = atomic_load(&mon->timers);

	cr_expect_null(thread_scan_attach(thread_scan_take(gettid())));
	cr_expect_eq(thread_slot_count(gettid()), 1);
	cr_expect_eq(atomic_load(&mon->live), live);
	cr_expect_eq(atomic_load(&mon->timers), timers);
}

/* A thread that no slot has; it lives for as long as the test. */
static void *
say_tid(void *tid)
{
	atomic_store((_Atomic int *)tid, gettid());
	pause();
	return NULL;
}

/*
 * A thread that runs destructors has a slot that has ended; so may one that was
 * given the number of a thread that is gone.
 */
Test(thread, known_from_one_of_the_same_number)
{
	struct thread_slot *s = thread_slot_take();
	_Atomic int tid = 0;
	pthread_t thread;
	uint64_t begun;

	cr_assert_not_null(s);
	mon->pid = getpid();
	begun = sys_clock(CLOCK_MONOTONIC);
	cr_assert_eq(pthread_create(&thread, NULL, say_tid, &tid), 0);
	while (atomic_load(&tid) == 0)
		usleep(1000);
	usleep(50000);
	s->tid = atomic_load(&tid);
	s->life.ended = sys_clock(CLOCK_MONOTONIC);
	atomic_store(&s->state, THREAD_SLOT_ENDED);
	thread_scan_now();
	cr_expect_eq(thread_slot_count(s->tid), 0, "it runs destructors");
	s->life.ended = sys_clock(CLOCK_MONOTONIC) + 10000000000u;
	thread_scan_now();
	cr_expect_eq(thread_slot_count(s->tid), 0, "it ended during a scan");
	s->life.ended = begun - 100000000u;
	private_fds_expect_helper();
	thread_scan_now();
	cr_expect_eq(thread_slot_count(s->tid), 0, "it may be a helper");
	private_fds_forget_helper();
	thread_scan_now();
	cr_expect_eq(thread_slot_count(s->tid), 1, "it is a new one");
}

static void *
adopt(void *unused)
{
	struct thread_slot *s = thread_scan_attach(
	    thread_scan_take(gettid()));
	bool good = s != NULL && atomic_load(&s->busy) == 0 &&
	    atomic_load(&s->coarse_clock.timer) != 0 &&
	    thread_slot_of_tid(gettid()) == s;

	cpu_timer_stop(s);
	return good ? unused : NULL;
}

Test(thread, adopted)
{
	pthread_t thread;
	void *ret;

	cr_assert_eq(pthread_create(&thread, NULL, adopt, mon), 0);
	pthread_join(thread, &ret);
	cr_expect_not_null(ret);
}

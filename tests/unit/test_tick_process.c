/* Context: O.  Tests of core/hot/clock/tick.c: ITIMER_PROF of the whole
 * process. */
#include "clock/tick.h"
#include "store/store.h"
#include "target.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <string.h>
#include <ucontext.h>

#define MS	1000000u

/* Never called: an address in this program that is behind no system call. */
static int
place(int n)
{
	return n * 3;
}

static void
start(void)
{
	target_init();
	target_birth();
}

TestSuite(count_process, .init = start, .fini = target_fini);

static uint64_t
counted(void)
{
	struct target_file t;
	uint64_t ns;

	target_read(&t, mon->store.path);
	ns = t.ns;
	target_read_fini(&t);
	return ns;
}

static void
process_tick(void)
{
	siginfo_t si = {.si_code = SI_KERNEL};
	ucontext_t uc;

	memset(&uc, 0, sizeof uc);
#ifdef __x86_64__
	uc.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)place;
#else
	uc.uc_mcontext.pc = (uintptr_t)place;
#endif
	tick_handler(SIGPROF, &si, &uc);
}

/* CPU time passes. */
static void
burn(void)
{
	uint64_t end = sys_clock(CLOCK_PROCESS_CPUTIME_ID) + MS;

	while (sys_clock(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
}

/* As those of any other clock. */
Test(count_process, counts_and_times_its_runs)
{
	const struct format_header *h = store_header();
	uint64_t from = sys_clock(CLOCK_PROCESS_CPUTIME_ID), passed;

	target_slot();
	mon->process_tier = true;
	atomic_store(&mon->process_seen, from);
	for (unsigned i = 0; i < 3; i++) {
		burn();
		process_tick();
	}
	passed = sys_clock(CLOCK_PROCESS_CPUTIME_ID) - from;
	cr_expect_geq(counted(), 3 * MS);
	cr_expect_leq(counted(), passed);
	cr_expect_eq(h->ticks, 3);
	cr_expect_eq(h->first_ticks, 3, "all of the first");
	cr_expect_gt(h->first_ns, 0);
	cr_expect_eq(h->cost_ticks, 0);
	cr_expect_geq(h->cpu_ns, from + 3 * MS, "for who is killed");
}

/* Behind seccomp no clock can be read; in a thread of nobody's it can wait. */
Test(count_process, loses_nothing_silently)
{
	struct thread_slot *s = target_slot();

	mon->process_tier = true;
	atomic_store(&mon->process_seen, sys_clock(CLOCK_PROCESS_CPUTIME_ID));
	burn();
	thread_slot_self = NULL;
	process_tick();
	thread_slot_self = s;
	atomic_store(&mon->frozen, true);
	process_tick();
	cr_expect_eq(target_loss(LOSS_FROZEN), 1);
	atomic_store(&mon->frozen, false);
	atomic_store(&s->busy, 1);
	process_tick();
	cr_expect_eq(target_loss(LOSS_NESTED), 1);
	atomic_store(&s->busy, 0);
	cr_expect_eq(counted(), 0);
	process_tick();
	cr_expect_geq(counted(), MS, "it waited");
}

/* Context: O.  See tick_target.h. */
#include "tick_target.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

int
tick_place(int n)
{
	return n * 3;
}

void
tick_start(void)
{
	target_init();
	mon->fine_refused = UINT_MAX;	/* no event is opened here */
	target_birth();
}

uint64_t
tick_voluntary(void)
{
	struct rusage r;

	cr_assert_eq(getrusage(RUSAGE_THREAD, &r), 0);
	return (uint64_t)r.ru_nvcsw;
}

struct thread_slot *
tick_coarse_slot(void)
{
	struct thread_slot *s = target_slot();
	struct rusage r;

	cr_assert_eq(getrusage(RUSAGE_THREAD, &r), 0);
	s->rate.switches = (uint64_t)(r.ru_nvcsw + r.ru_nivcsw);
	s->coarse_clock.kind = FORMAT_COARSE_CPU;
	s->coarse_clock.interval = s->coarse_clock.due = 4 * MS;
	atomic_store(&s->coarse_clock.timer, TIMER + 1);
	s->cpu.start = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	return s;
}

void
tick_turn_on_fine(struct thread_slot *s)
{
	s->fine_clock.first_period = false;
	s->fine_clock.state = FORMAT_FINE_ON;
	s->fine_clock.fd = 5 + 1;
	s->fine_clock.period = PERIOD;
	s->fine_clock.ring.bytes = config.page;
	atomic_store(&s->fine_clock.ring.map, mmap_area_alloc(config.page));
	s->cpu.ns = s->last_coarse.cpu = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	s->fine_clock.base = s->cpu.ns;
}

void
tick_send(siginfo_t *si)
{
	ucontext_t uc;

	memset(&uc, 0, sizeof uc);
#ifdef __x86_64__
	uc.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)tick_place;
#else
	uc.uc_mcontext.pc = (uintptr_t)tick_place;
#endif
	tick_handler(SIGPROF, si, &uc);
}

void
tick_coarse_tick(struct thread_slot *s, int overrun)
{
	siginfo_t si = {.si_code = SI_TIMER};

	si.si_timerid = TIMER;
	si.si_overrun = overrun;
	si.si_value.sival_ptr = s;
	tick_send(&si);
}

void
tick_fine_tick(void)
{
	siginfo_t si = {.si_code = POLL_IN};

	si.si_fd = 5;
	tick_send(&si);
}

uint64_t
tick_counted(uint64_t *n)
{
	struct target_file t;
	uint64_t ns;

	target_read(&t, mon->store.path);
	ns = t.ns;
	if (n != NULL)
		*n = t.count;
	target_read_fini(&t);
	return ns;
}

/* Context: O.  Tests of core/runtime/life/seccomp.c: what an entry does. */
#include "filter.h"
#include "base/mmap_area.h"
#include "clock/cpu_timer.h"
#include "count/cct.h"
#include "life/seccomp.h"
#include "signal/sigmask.h"
#include "store/store.h"
#include "target.h"
#include "thread/thread_slot.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct thread_slot *self;

static void
start(void)
{
	target_init();
	config.size = 4u << 20;
	self = target_slot();
}

static void
end(void)
{
	cpu_timer_stop(self);
	target_fini();
}

TestSuite(seccomp, .init = start, .fini = end);

/* Nor are these filters: the kernel answers EFAULT or EINVAL unread. */
static void
is_none(const struct sock_fprog *program)
{
	sys_sigset tick = SYS_SIGBIT(SIGPROF);

	/* A tick of that clock would make the file. */
	sys_sigprocmask(SIG_BLOCK, &tick, NULL);
	cpu_timer_stop(self);
	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_expect_not(seccomp_freeze(program));
	cr_expect_not(atomic_load(&mon->frozen));
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0);
	cr_expect_null(store_header(), "no file for nothing");
}

Test(seccomp, what_is_not_there)
{
	static struct sock_filter many[BPF_MAXINSNS + 1];
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sock_fprog *cut = (void *)(page + 4096 - 8);
	struct sock_fprog p = {1, NULL};

	for (unsigned i = 0; i <= BPF_MAXINSNS; i++)
		many[i] = (struct sock_filter)YES;
	cr_assert_eq(munmap(page + 4096, 4096), 0);
	cut->len = 1;
	is_none((void *)8);
	is_none(cut);
	is_none(&p);
	p.filter = (void *)8;
	is_none(&p);
	p = (struct sock_fprog){2, (void *)cut};
	is_none(&p);
	p = (struct sock_fprog){BPF_MAXINSNS + 1, many};
	is_none(&p);
	p = (struct sock_fprog){0, many};
	is_none(&p);
}

/* Refused: the clocks of all threads are there again, as they were. */
Test(seccomp, of_other_threads)
{
	struct thread_slot *other = thread_slot_take(), *none =
	    thread_slot_take();
	struct sock_filter no[] = {NO};
	struct sock_fprog program = {1, no};

	other->tid = self->tid;
	atomic_store(&other->state, THREAD_SLOT_LIVE);
	atomic_store(&none->state, THREAD_SLOT_LIVE);
	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_assert_eq(cpu_timer_arm(other), 0);
	cr_expect(seccomp_freeze(&program));
	cr_expect_eq(atomic_load(&other->coarse_clock.timer), 0);
	seccomp_freeze_end(true);
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0);
	cr_expect_neq(atomic_load(&other->coarse_clock.timer), 0);
	cr_expect_eq(atomic_load(&none->coarse_clock.timer), 0, "it had none");
	cpu_timer_stop(other);
	cr_assert_eq(cpu_timer_arm_process(), 0);
	cr_expect(seccomp_freeze(&program));
	cr_expect_not(mon->process_tier);
	seccomp_freeze_end(true);
	cr_expect(mon->process_tier);
	cpu_timer_stop_process();
}

static void
turn_on_fine(struct thread_slot *s)
{
	s->fine_clock.state = FORMAT_FINE_ON;
	s->fine_clock.ring.bytes = config.page;
	atomic_store(&s->fine_clock.ring.map, mmap_area_alloc(config.page));
	cr_assert_not_null(atomic_load(&s->fine_clock.ring.map));
}

/* Whatever the filter allows, and not in the midst of a tick. */
Test(seccomp, no_fine_clock)
{
	struct thread_slot *other = thread_slot_take(), *ticking =
	    thread_slot_take();
	struct format_thread *t;

	self->fine_clock.ns = 5;
	atomic_store(&other->state, THREAD_SLOT_LIVE);
	atomic_store(&ticking->state, THREAD_SLOT_LIVE);
	turn_on_fine(self);
	turn_on_fine(other);
	turn_on_fine(ticking);
	atomic_store(&ticking->busy, 1);
	cr_expect(seccomp_freeze(NULL));
	cr_expect_eq(self->fine_clock.state, FORMAT_FINE_NEVER);
	cr_expect_null(atomic_load(&self->fine_clock.ring.map));
	t = store_at(self->records.thread);
	cr_expect_eq(t->fine, FORMAT_FINE_SECCOMP, "the file says so");
	cr_expect_eq(t->fine_ns, 5);
	cr_expect_eq(other->fine_clock.state, FORMAT_FINE_NEVER);
	cr_expect_null(atomic_load(&other->fine_clock.ring.map));
	cr_expect_eq(atomic_load(&other->busy), 0);
	cr_expect_eq(ticking->fine_clock.state, FORMAT_FINE_ON,
	    "its tick reads the ring");
	cr_expect_eq(atomic_load(&ticking->busy), 1);
	cr_expect_eq(store_header()->fine_seen & 1u << FORMAT_FINE_SECCOMP, 0,
	    "the kernel may refuse the filter");
	seccomp_freeze_end(false);
	cr_expect_neq(store_header()->fine_seen & 1u << FORMAT_FINE_SECCOMP, 0);
}

Test(seccomp, strict_mode)
{
	const struct itimerspec never = { 0 };

	cr_assert_eq(cpu_timer_arm(self), 0);
	/* A tick behind the freeze would be a loss, and none of the freeze. */
	cr_assert_eq(syscall(SYS_timer_settime,
	    atomic_load(&self->coarse_clock.timer) - 1, 0, &never, NULL), 0);
	seccomp_freeze(NULL);
	cr_expect(atomic_load(&mon->frozen));
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0);
	cr_expect_eq(target_loss(LOSS_FROZEN), 0);
}

/* To keep it for the program takes calls. */
Test(seccomp, a_signal_that_the_program_blocks)
{
	uint64_t tick = SYS_SIGBIT(SIGPROF), now = 0;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	cr_assert_eq(sigmask_change(SIG_BLOCK, &set, NULL), 0);
	seccomp_freeze(NULL);
	raise(SIGPROF);
	cr_expect_eq(target_loss(LOSS_FROZEN), 1);
	sys_sigprocmask(SIG_BLOCK, NULL, &now);
	cr_expect_eq(now & tick, 0, "open for ticks");
	cr_expect_eq(sigpending(&set), 0);
	cr_expect_not(sigismember(&set, SIGPROF));
}

/* File, modules, the thread's record and space are there before. */
Test(seccomp, all_is_made_ahead)
{
	struct format_header *h;
	struct target_file t;

	seccomp_freeze(NULL);
	h = store_header();
	cr_assert_not_null(h);
	cr_expect_geq(h->ready, h->used + (1u << 20));
	target_read(&t, mon->store.path);
	cr_expect_eq(t.threads, 1);
	cr_expect_geq(t.modules, 4);
	target_read_fini(&t);
}

/* The lookup table too: without it each tick would make a node of its own. */
Test(seccomp, nodes_are_found_again)
{
	const unsigned nodes = 20000;
	uint64_t used;

	seccomp_freeze(NULL);
	cr_assert_not_null(store_header());
	used = store_header()->used;
	for (unsigned i = 0; i < 2 * nodes; i++)
		cr_assert_not_null(cct_find_or_add(self->records.root,
		    FORMAT_USER, 0, i % nodes), "node %u", i);
	cr_expect_eq(store_header()->used - used,
	    nodes * sizeof(struct format_node));
	cr_expect_eq(target_loss(LOSS_FROZEN), 0);
}

Test(seccomp, only_once)
{
	struct sock_filter no[] = {NO};
	struct sock_fprog program = {1, no};

	cr_assert_eq(cpu_timer_arm(self), 0);
	seccomp_freeze(NULL);
	seccomp_freeze(&program);
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0,
	    "it may not, any more");
}

/* The clock runs before, and after two filters and one that allows nothing. */
static bool
outlives(struct sock_filter *first, struct sock_filter *second,
    unsigned short n)
{
	struct sock_filter no[] = {NO};
	struct sock_fprog a = {n, first}, b = {n, second}, none = {1, no};
	uint64_t losses = target_loss(LOSS_FROZEN);
	bool runs;

	cpu_timer_stop(self);
	atomic_store(&mon->running, true);
	cr_assert_eq(cpu_timer_arm(self), 0);
	atomic_store(&mon->running, false);	/* a tick would be lost, too */
	cr_expect(seccomp_freeze(&a));
	seccomp_freeze_end(false);
	cr_expect_not(seccomp_freeze(&b));
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0,
	    "both let it run");
	cr_expect_not(seccomp_freeze(&none));
	runs = atomic_load(&self->coarse_clock.timer) != 0;
	cr_expect_not(seccomp_freeze(&none));
	cr_expect_eq(target_loss(LOSS_FROZEN) - losses, !runs);
	seccomp_freeze_end(true);
	return runs;
}

/* Stopped where the filters before allow the calls that takes. */
Test(seccomp, filter_upon_filter)
{
	struct sock_filter yes[] = {YES, YES, YES, YES};
	struct sock_filter no_delete[] = {LD(nr), JEQ(SYS_timer_delete, 0, 1),
		NO, YES};
	struct sock_filter no_look[] = {LD(nr), JEQ(SYS_rt_sigprocmask, 0, 1),
		NO, YES};
	struct sock_filter no_how[] = {LD(args[0]), JEQ(UINT32_MAX, 0, 1),
		NO, YES};

	cr_expect_not(outlives(yes, yes, 4));
	cr_expect(outlives(no_delete, yes, 4));
	cr_expect(outlives(yes, no_delete, 4));
	cr_expect(outlives(no_look, yes, 4));
	cr_expect(outlives(yes, no_look, 4));
	cr_expect(outlives(no_how, yes, 4));
}

/* Other threads may have ticks under way, and nobody may sleep any more. */
static int
stop_without_sleep(void)
{
	struct sock_filter filter[] = {LD(nr), JEQ(SYS_nanosleep, 0, 1), NO,
		YES}, no[] = {NO};
	struct sock_fprog first = {4, filter}, none = {1, no};

	mon->pid = getpid();
	atomic_store(&mon->live, 2);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return __LINE__;
	seccomp_freeze(&first);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &first) != 0)
		return __LINE__;
	seccomp_freeze(&none);
	return 0;
}

Test(seccomp, the_wait_for_ticks_needs_no_call)
{
	int line = target_child(stop_without_sleep);

	cr_expect_eq(line, 0, "line %d", line);
}

/* Ticks under a filter that allows nothing but what the handler needs. */
static int
count_under_a_filter(void)
{
	struct sock_filter filter[] = {LD(nr), JEQ(RETURN, 2, 0),
	    JEQ(SYS_exit_group, 1, 0), NO, YES};
	struct sock_fprog program = {5, filter};
	struct format_thread *t;

	mon->pid = getpid();
	self->tid = gettid();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    cpu_timer_arm(self) != 0)
		return __LINE__;
	seccomp_freeze(&program);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return __LINE__;
	t = store_at(self->records.thread);
	while (__atomic_load_n(&t->ticks, __ATOMIC_RELAXED) < 5)
		;
	return 0;
}

Test(seccomp, ticks_go_on, .timeout = 30)
{
	int line = target_child(count_under_a_filter);

	cr_expect_eq(line, 0, "line %d", line);
}

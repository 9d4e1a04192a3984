/* Context: O.  Tests of core/runtime/signal/altstack.c. */
#include "clock/cpu_timer.h"
#include "base/thread_clock.h"
#include "signal/altstack.h"
#include "target.h"
#include "thread/signal_stack.h"
#include "thread/thread_slot.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct thread_slot *self;

static void
start(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};

	target_init();
	self = target_slot();
	self->main = false;
	cr_assert_eq(sigaltstack(&none, NULL), 0);
}

static void
end(void)
{
	cpu_timer_stop(self);
	target_fini();
}

TestSuite(altstack, .init = start, .fini = end);

static stack_t
real(void)
{
	stack_t s;

	cr_assert_eq(sigaltstack(NULL, &s), 0);
	return s;
}

static stack_t
seen(void)
{
	stack_t s;

	memset(&s, 0xff, sizeof s);
	cr_assert_eq(altstack_set(NULL, &s, sigaltstack), 0);
	return s;
}

static bool
is_none(stack_t s)
{
	return s.ss_sp == NULL && s.ss_flags == SS_DISABLE && s.ss_size == 0;
}

static char large[64 << 10], tight[8192];

static int
set(void *base, size_t bytes, int flags, stack_t *old)
{
	stack_t s = {.ss_sp = base, .ss_flags = flags, .ss_size = bytes};
	int ret = altstack_set(&s, old, sigaltstack);

	errno = -ret;
	return ret == 0 ? 0 : -1;
}

Test(altstack, one_of_ours)
{
	altstack_install(self);
	cr_expect_eq(real().ss_sp, self->stack.alt);
	cr_expect_eq(real().ss_size, SIGNAL_STACK_BYTES);
	cr_expect_eq(real().ss_flags, 0);
	cr_expect(is_none(seen()), "the program has none");
	cr_expect_eq(real().ss_sp, self->stack.alt);
}

static int
run_over(void)
{
	altstack_install(self);
	((volatile char *)self->stack.alt)[0] = 1;
	((volatile char *)self->stack.alt)[SIGNAL_STACK_BYTES - 1] = 1;
	((volatile char *)self->stack.alt)[-1] = 1;
	return 0;
}

Test(altstack, a_page_catches_what_runs_over)
{
	cr_expect_eq(target_child(run_over), -SIGSEGV);
}

Test(altstack, a_program_that_has_one)
{
	stack_t own = {.ss_sp = large, .ss_size = sizeof large};

	cr_assert_eq(sigaltstack(&own, NULL), 0);
	altstack_install(self);
	cr_expect_eq(real().ss_sp, large);
	cr_expect_null(self->stack.alt);
	cr_expect_eq(seen().ss_sp, large);
	cr_expect_eq(seen().ss_size, sizeof large);
}

Test(altstack, a_program_that_sets_one)
{
	stack_t old;

	altstack_install(self);
	cr_assert_eq(set(large, sizeof large, 0, &old), 0);
	cr_expect(is_none(old));
	cr_expect_eq(real().ss_sp, self->stack.alt, "ours stays");
	cr_expect_eq(seen().ss_sp, large);
	cr_expect_eq(seen().ss_size, sizeof large);
	cr_expect_eq(seen().ss_flags, 0);
	cr_assert_eq(set(NULL, 0, SS_DISABLE, &old), 0);
	cr_expect_eq(old.ss_sp, large);
	cr_expect_eq(old.ss_size, sizeof large);
	cr_expect_eq(real().ss_sp, self->stack.alt);
	cr_expect(is_none(seen()));
	cr_assert_eq(set(NULL, 0, SS_DISABLE, &old), 0);
	cr_expect(is_none(old));
	cr_expect_eq(real().ss_sp, self->stack.alt);
}

Test(altstack, what_the_kernel_refuses)
{
	stack_t old;

	altstack_install(self);
	errno = 0;
	cr_expect_eq(set(large, 16, 0, &old), -1);
	cr_expect_eq(errno, ENOMEM);
	cr_expect_not(self->stack.small);
	cr_expect_eq(real().ss_sp, self->stack.alt);
	errno = 0;
	cr_expect_eq(set(large, sizeof large, 77, &old), -1);
	cr_expect_eq(errno, EINVAL);
	cr_expect_eq(real().ss_sp, self->stack.alt);
	cr_expect(is_none(seen()));
	cr_expect_not(self->stack.small);
	cr_expect_eq(target_loss(LOSS_ALTSTACK), 0);
}

/* No tick runs on the program's stack, so the program may choose its size. */
Test(altstack, a_small_one)
{
	altstack_install(self);
	config.frame = sizeof tight;
	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_assert_eq(set(tight, sizeof tight, 0, NULL), 0);
	cr_expect_eq(real().ss_sp, self->stack.alt);
	cr_expect_eq(seen().ss_sp, tight);
	cr_expect_not(self->stack.small);
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0);
	cr_expect_eq(target_loss(LOSS_ALTSTACK), 0);
}

static bool open_to_ticks;

static int
call_and_look(const stack_t *now, stack_t *old)
{
	sigset_t blocked;

	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	open_to_ticks |= now != NULL && (!sigismember(&blocked, SIGPROF) ||
	    !sigismember(&blocked, SIGUSR1));
	return sigaltstack(now, old);
}

/*
 * The program's stack is set with the kernel for a moment, during which no
 * handler runs.
 */
Test(altstack, nothing_runs_at_the_call)
{
	stack_t small = {.ss_sp = tight, .ss_size = sizeof tight};

	altstack_install(self);
	cr_assert_eq(altstack_set(&small, NULL, call_and_look), 0);
	cr_expect_not(open_to_ticks);
	cr_expect_eq(real().ss_sp, self->stack.alt);
}

/* A stack that the kernel refuses changes nothing. */
Test(altstack, a_small_one_that_is_refused)
{
	unsigned i;

	altstack_install(self);
	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_assert_eq(set(large, sizeof large, 0, NULL), 0);
	for (i = 0; i < 10; i++) {
		cr_expect_eq(set(tight, 1024, 0, NULL), -1);
		cr_expect_eq(errno, ENOMEM);
		cr_expect_eq(set(tight, sizeof tight, 77, NULL), -1);
		cr_expect_eq(errno, EINVAL);
	}
	cr_expect_eq(real().ss_sp, self->stack.alt);
	cr_expect_eq(seen().ss_sp, large);
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0);
}

Test(altstack, pointers_that_are_bad)
{
	stack_t *bad = (stack_t *)8, old;

	altstack_install(self);
	cr_expect_eq(altstack_set(bad, NULL, sigaltstack), -EFAULT);
	cr_expect_eq(altstack_set(NULL, bad, sigaltstack), -EFAULT);
	cr_expect_eq(real().ss_sp, self->stack.alt);
	/* The kernel sets the new stack first and then writes the old one. */
	cr_expect_eq(set(large, sizeof large, 0, bad), -1);
	cr_expect_eq(errno, EFAULT);
	cr_expect_eq(seen().ss_sp, large);
	cr_expect_eq(altstack_set(bad, &old, sigaltstack), -EFAULT);
	cr_expect_eq(seen().ss_sp, large);
}

/* Sets more stacks than are kept at once: the last one is always known. */
Test(altstack, one_after_the_other)
{
	stack_t old;
	unsigned i;

	altstack_install(self);
	for (i = 0; i < 200; i++) {
		cr_assert_eq(set(large + i, 32 << 10, 0, &old), 0);
		cr_expect_eq(old.ss_sp, i == 0 ? NULL : large + i - 1);
		cr_expect_eq(seen().ss_sp, large + i);
		cr_expect_eq(real().ss_sp, self->stack.alt);
	}
}

Test(altstack, disarmed_by_handlers)
{
	stack_t old;

	altstack_install(self);
	cr_assert_eq(set(large, sizeof large, (int)SS_AUTODISARM, NULL), 0);
	cr_expect_eq(seen().ss_sp, large);
	cr_expect_eq(seen().ss_flags, (int)SS_AUTODISARM);
	cr_expect_eq(real().ss_sp, self->stack.alt);
	cr_assert_eq(set(NULL, 0, (int)(SS_DISABLE | SS_AUTODISARM), &old), 0);
	cr_expect_eq(old.ss_flags, (int)SS_AUTODISARM);
	cr_expect_eq(seen().ss_flags, (int)(SS_DISABLE | SS_AUTODISARM));
	cr_expect_null(seen().ss_sp);
}

/* A handler that stays on our stack, as one on an unknown stack does. */
static struct {
	int ret, again, bad;
	stack_t before, after;
	bool ours;
} in_place;

static void
sets_in_place(int sig)
{
	char *here = __builtin_frame_address(0);

	(void)sig;
	in_place.ours =
	    here - (char *)self->stack.alt < (long)SIGNAL_STACK_BYTES;
	in_place.before = seen();
	in_place.bad = altstack_set(&(stack_t){.ss_sp = large, .ss_size = 1},
	    NULL, sigaltstack);
	in_place.ret = set(large, sizeof large, 0, NULL);
	in_place.after = seen();
	in_place.again = set(tight, sizeof tight, (int)SS_AUTODISARM, NULL);
}

Test(altstack, set_by_a_handler_in_place)
{
	const struct sigaction a = {.sa_handler = sets_in_place,
		.sa_flags = SA_ONSTACK};
	int i;

	altstack_install(self);
	cr_assert_eq(sigaction(SIGUSR1, &a, NULL), 0);
	for (i = 0; i < 3; i++) {
		raise(SIGUSR1);
		cr_expect(in_place.ours);
		cr_expect(is_none(in_place.before));
		cr_expect_eq(in_place.bad, -ENOMEM);
		cr_expect_eq(in_place.ret, 0);
		cr_expect_eq(in_place.after.ss_sp, large);
		cr_expect_eq(in_place.after.ss_flags, 0);
		cr_expect_eq(in_place.again, 0);
		cr_expect_eq(seen().ss_sp, tight, "it was the first");
		cr_expect_eq(real().ss_sp, self->stack.alt);
		cr_assert_eq(set(NULL, 0, SS_DISABLE, NULL), 0);
	}
	/* Once a stack is set, the program sees the handler on it. */
	cr_assert_eq(set(large, sizeof large, 0, NULL), 0);
	raise(SIGUSR1);
	cr_expect_eq(in_place.before.ss_flags, SS_ONSTACK);
	cr_expect_eq(in_place.ret, -1);
	cr_expect_eq(seen().ss_sp, large);
}

/* A raw call has set the stack.  The process's timer ticks on any thread. */
Test(altstack, a_small_one_forbids_the_process_timer)
{
	stack_t own = {.ss_sp = tight, .ss_size = sizeof tight};

	config.frame = sizeof tight;
	cr_assert_eq(sigaltstack(&own, NULL), 0);
	cr_expect_eq(cpu_timer_arm_process(), 0);
	cpu_timer_stop_process();
	altstack_install(self);
	cr_expect_eq(cpu_timer_arm_process(), -ENOTSUP);
	cr_expect_not(mon->process_tier);
	cr_expect_not(mon->arming);
	thread_slot_abandon(self);
	cr_expect_eq(cpu_timer_arm_process(), 0, "its thread has gone");
	cpu_timer_stop_process();
}

/* Set before we came, or before a fork: there the slot is a new one. */
Test(altstack, a_small_one_that_is_there)
{
	struct thread_slot fresh = {.tid = gettid()};
	stack_t own = {.ss_sp = tight, .ss_size = sizeof tight};

	config.frame = sizeof tight;
	cr_assert_eq(sigaltstack(&own, NULL), 0);
	altstack_install(&fresh);
	cr_expect(fresh.stack.small);
	cr_expect_eq(target_loss(LOSS_ALTSTACK), 1);
	fresh = (struct thread_slot){.tid = gettid(), .main = true};
	altstack_install(&fresh);
	cr_expect(fresh.stack.small);
	cr_expect_eq(real().ss_sp, tight);
}

/* Behind seccomp no timer may be deleted, and none need be. */
static int
small_and_frozen(void)
{
	stack_t old;

	mon->pid = getpid();
	self->tid = gettid();
	altstack_install(self);
	if (cpu_timer_arm(self) != 0)
		return __LINE__;
	atomic_store(&mon->frozen, true);
	/* Errno stands for SIGSYS. */
	if (target_forbid(SYS_timer_delete, TARGET_ANY, EPERM) != 0)
		return __LINE__;
	config.frame = sizeof tight;
	if (set(tight, sizeof tight, 0, &old) != 0 || !is_none(old))
		return __LINE__;
	if (real().ss_sp != self->stack.alt || seen().ss_sp != tight ||
	    seen().ss_size != sizeof tight || seen().ss_flags != 0)
		return __LINE__;
	if (set(tight, 16, 0, NULL) != -1 || errno != ENOMEM ||
	    set(tight, sizeof tight, 77, NULL) != -1 || errno != EINVAL)
		return __LINE__;
	if (set(large, sizeof large, 0, &old) != 0 || old.ss_sp != tight ||
	    real().ss_sp != self->stack.alt || seen().ss_sp != large)
		return __LINE__;
	if (set(tight, sizeof tight, 0, &old) != 0 || old.ss_sp != large)
		return __LINE__;
	if (set(NULL, 0, SS_DISABLE, &old) != 0 || old.ss_sp != tight ||
	    !is_none(seen()) || real().ss_sp != self->stack.alt)
		return __LINE__;
	return atomic_load(&self->coarse_clock.timer) != 0 ? 0 : __LINE__;
}

Test(altstack, a_small_one_behind_seccomp)
{
	int line = target_child(small_and_frozen);

	cr_expect_eq(line, 0, "line %d", line);
}

/* A fork child's one thread still stands on what its parent gave it. */
static int
after_a_fork(void)
{
	struct thread_slot fresh = {.tid = gettid()};
	void *base = real().ss_sp;

	self->tid = gettid();
	altstack_install(&fresh);
	if (fresh.stack.alt != base || real().ss_sp != base)
		return __LINE__;
	return seen().ss_sp == large ? 0 : __LINE__;
}

Test(altstack, fork_children)
{
	int line;

	altstack_install(self);
	cr_assert_eq(set(large, sizeof large, 0, NULL), 0);
	line = target_child(after_a_fork);
	cr_expect_eq(line, 0, "line %d", line);
}

/* A slot that is given to the next thread brings its stack along. */
static void *
take_again(void *arg)
{
	altstack_install(arg);
	return real().ss_sp;
}

Test(altstack, kept_with_the_slot)
{
	struct thread_slot *s = thread_slot_take();
	pthread_t thread;
	void *first, *second;

	pthread_create(&thread, NULL, take_again, s);
	pthread_join(thread, &first);
	cr_expect_eq(first, s->stack.alt);
	cr_expect_neq(first, NULL);
	pthread_create(&thread, NULL, take_again, s);
	pthread_join(thread, &second);
	cr_expect_eq(second, first);
}

/* The main thread's is no mapping of its own. */
Test(altstack, of_the_main_thread)
{
	struct thread_slot other = {.main = false};

	self->main = true;
	altstack_install(self);
	cr_assert_not_null(self->stack.alt);
	cr_expect_eq(real().ss_sp, self->stack.alt);
	cr_expect_lt(llabs((char *)self->stack.alt - (char *)&config),
	    16 << 20, "among the program's own data");
	altstack_install(&other);
	cr_expect_eq(other.stack.alt, self->stack.alt, "this thread has one");
}

Test(altstack, threads_that_are_not_ours)
{
	thread_slot_self = NULL;
	cr_assert_eq(set(large, sizeof large, 0, NULL), 0);
	cr_expect_eq(real().ss_sp, large);
	thread_slot_self = (struct thread_slot *)large;
	cr_assert_eq(set(NULL, 0, SS_DISABLE, NULL), 0);
	cr_expect_eq(real().ss_flags, SS_DISABLE);
}

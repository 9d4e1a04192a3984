/* Context: O.  Tests of core/runtime/signal/altstack.c. */
#include "altstack_target.h"
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

TestSuite(altstack, .init = altstack_target_start, .fini = altstack_target_end);

Test(altstack, one_of_ours)
{
	altstack_install(self);
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	cr_expect_eq(altstack_target_real().ss_size, SIGNAL_STACK_BYTES);
	cr_expect_eq(altstack_target_real().ss_flags, 0);
	cr_expect(altstack_target_is_none(altstack_target_seen()),
	    "the program has none");
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
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
	cr_expect_eq(altstack_target_real().ss_sp, large);
	cr_expect_null(self->stack.alt);
	cr_expect_eq(altstack_target_seen().ss_sp, large);
	cr_expect_eq(altstack_target_seen().ss_size, sizeof large);
}

Test(altstack, a_program_that_sets_one)
{
	stack_t old;

	altstack_install(self);
	cr_assert_eq(altstack_target_set(large, sizeof large, 0, &old), 0);
	cr_expect(altstack_target_is_none(old));
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt,
	    "ours stays");
	cr_expect_eq(altstack_target_seen().ss_sp, large);
	cr_expect_eq(altstack_target_seen().ss_size, sizeof large);
	cr_expect_eq(altstack_target_seen().ss_flags, 0);
	cr_assert_eq(altstack_target_set(NULL, 0, SS_DISABLE, &old), 0);
	cr_expect_eq(old.ss_sp, large);
	cr_expect_eq(old.ss_size, sizeof large);
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	cr_expect(altstack_target_is_none(altstack_target_seen()));
	cr_assert_eq(altstack_target_set(NULL, 0, SS_DISABLE, &old), 0);
	cr_expect(altstack_target_is_none(old));
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
}

Test(altstack, what_the_kernel_refuses)
{
	stack_t old;

	altstack_install(self);
	errno = 0;
	cr_expect_eq(altstack_target_set(large, 16, 0, &old), -1);
	cr_expect_eq(errno, ENOMEM);
	cr_expect_not(self->stack.small);
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	errno = 0;
	cr_expect_eq(altstack_target_set(large, sizeof large, 77, &old), -1);
	cr_expect_eq(errno, EINVAL);
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	cr_expect(altstack_target_is_none(altstack_target_seen()));
	cr_expect_not(self->stack.small);
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
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
}

Test(altstack, pointers_that_are_bad)
{
	stack_t *bad = (stack_t *)8, old;

	altstack_install(self);
	cr_expect_eq(altstack_set(bad, NULL, sigaltstack), -EFAULT);
	cr_expect_eq(altstack_set(NULL, bad, sigaltstack), -EFAULT);
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	/* The kernel sets the new stack first and then writes the old one. */
	cr_expect_eq(altstack_target_set(large, sizeof large, 0, bad), -1);
	cr_expect_eq(errno, EFAULT);
	cr_expect_eq(altstack_target_seen().ss_sp, large);
	cr_expect_eq(altstack_set(bad, &old, sigaltstack), -EFAULT);
	cr_expect_eq(altstack_target_seen().ss_sp, large);
}

/* Sets more stacks than are kept at once: the last one is always known. */
Test(altstack, one_after_the_other)
{
	stack_t old;
	unsigned i;

	altstack_install(self);
	for (i = 0; i < 200; i++) {
		cr_assert_eq(altstack_target_set(large + i, 32 << 10, 0, &old),
		    0);
		cr_expect_eq(old.ss_sp, i == 0 ? NULL : large + i - 1);
		cr_expect_eq(altstack_target_seen().ss_sp, large + i);
		cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	}
}

Test(altstack, disarmed_by_handlers)
{
	stack_t old;

	altstack_install(self);
	cr_assert_eq(altstack_target_set(large, sizeof large,
	    (int)SS_AUTODISARM, NULL), 0);
	cr_expect_eq(altstack_target_seen().ss_sp, large);
	cr_expect_eq(altstack_target_seen().ss_flags, (int)SS_AUTODISARM);
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	cr_assert_eq(altstack_target_set(NULL, 0,
	    (int)(SS_DISABLE | SS_AUTODISARM), &old), 0);
	cr_expect_eq(old.ss_flags, (int)SS_AUTODISARM);
	cr_expect_eq(altstack_target_seen().ss_flags,
	    (int)(SS_DISABLE | SS_AUTODISARM));
	cr_expect_null(altstack_target_seen().ss_sp);
}

/* A fork child's one thread still stands on what its parent gave it. */
static int
after_a_fork(void)
{
	struct thread_slot fresh = {.tid = gettid()};
	void *base = altstack_target_real().ss_sp;

	self->tid = gettid();
	altstack_install(&fresh);
	if (fresh.stack.alt != base || altstack_target_real().ss_sp != base)
		return __LINE__;
	return altstack_target_seen().ss_sp == large ? 0 : __LINE__;
}

Test(altstack, fork_children)
{
	int line;

	altstack_install(self);
	cr_assert_eq(altstack_target_set(large, sizeof large, 0, NULL), 0);
	line = target_child(after_a_fork);
	cr_expect_eq(line, 0, "line %d", line);
}

/* A slot that is given to the next thread brings its stack along. */
static void *
take_again(void *arg)
{
	altstack_install(arg);
	return altstack_target_real().ss_sp;
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
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	cr_expect_lt(llabs((char *)self->stack.alt - (char *)&config),
	    16 << 20, "among the program's own data");
	altstack_install(&other);
	cr_expect_eq(other.stack.alt, self->stack.alt, "this thread has one");
}

Test(altstack, threads_that_are_not_ours)
{
	thread_slot_self = NULL;
	cr_assert_eq(altstack_target_set(large, sizeof large, 0, NULL), 0);
	cr_expect_eq(altstack_target_real().ss_sp, large);
	thread_slot_self = (struct thread_slot *)large;
	cr_assert_eq(altstack_target_set(NULL, 0, SS_DISABLE, NULL), 0);
	cr_expect_eq(altstack_target_real().ss_flags, SS_DISABLE);
}

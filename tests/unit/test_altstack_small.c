/*
 * Context: O. Tests of alternate signal stacks that the program sets in place
 * or that are too small; see signal_stack.h.
 */
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

TestSuite(altstack_small, .init = altstack_target_start, .fini =
    altstack_target_end);

/* No tick runs on the program's stack, so the program may choose its size. */
Test(altstack_small, a_small_one)
{
	altstack_install(self);
	config.frame = sizeof tight;
	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_assert_eq(altstack_target_set(tight, sizeof tight, 0, NULL), 0);
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	cr_expect_eq(altstack_target_seen().ss_sp, tight);
	cr_expect_not(self->stack.small);
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0);
	cr_expect_eq(target_loss(LOSS_ALTSTACK), 0);
}

/* A stack that the kernel refuses changes nothing. */
Test(altstack_small, a_small_one_that_is_refused)
{
	unsigned i;

	altstack_install(self);
	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_assert_eq(altstack_target_set(large, sizeof large, 0, NULL), 0);
	for (i = 0; i < 10; i++) {
		cr_expect_eq(altstack_target_set(tight, 1024, 0, NULL), -1);
		cr_expect_eq(errno, ENOMEM);
		cr_expect_eq(altstack_target_set(tight, sizeof tight, 77, NULL),
		    -1);
		cr_expect_eq(errno, EINVAL);
	}
	cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
	cr_expect_eq(altstack_target_seen().ss_sp, large);
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0);
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
	in_place.before = altstack_target_seen();
	in_place.bad = altstack_set(&(stack_t){.ss_sp = large, .ss_size = 1},
	    NULL, sigaltstack);
	in_place.ret = altstack_target_set(large, sizeof large, 0, NULL);
	in_place.after = altstack_target_seen();
	in_place.again = altstack_target_set(tight, sizeof tight,
	    (int)SS_AUTODISARM, NULL);
}

Test(altstack_small, set_by_a_handler_in_place)
{
	const struct sigaction a = {.sa_handler = sets_in_place,
		.sa_flags = SA_ONSTACK};
	int i;

	altstack_install(self);
	cr_assert_eq(sigaction(SIGUSR1, &a, NULL), 0);
	for (i = 0; i < 3; i++) {
		raise(SIGUSR1);
		cr_expect(in_place.ours);
		cr_expect(altstack_target_is_none(in_place.before));
		cr_expect_eq(in_place.bad, -ENOMEM);
		cr_expect_eq(in_place.ret, 0);
		cr_expect_eq(in_place.after.ss_sp, large);
		cr_expect_eq(in_place.after.ss_flags, 0);
		cr_expect_eq(in_place.again, 0);
		cr_expect_eq(altstack_target_seen().ss_sp, tight,
		    "it was the first");
		cr_expect_eq(altstack_target_real().ss_sp, self->stack.alt);
		cr_assert_eq(altstack_target_set(NULL, 0, SS_DISABLE, NULL), 0);
	}
	/* Once a stack is set, the program sees the handler on it. */
	cr_assert_eq(altstack_target_set(large, sizeof large, 0, NULL), 0);
	raise(SIGUSR1);
	cr_expect_eq(in_place.before.ss_flags, SS_ONSTACK);
	cr_expect_eq(in_place.ret, -1);
	cr_expect_eq(altstack_target_seen().ss_sp, large);
}

/* A raw call has set the stack.  The process's timer ticks on any thread. */
Test(altstack_small, a_small_one_forbids_the_process_timer)
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
Test(altstack_small, a_small_one_that_is_there)
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
	cr_expect_eq(altstack_target_real().ss_sp, tight);
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
	if (altstack_target_set(tight, sizeof tight, 0, &old) != 0 ||
	    !altstack_target_is_none(old))
		return __LINE__;
	if (altstack_target_real().ss_sp != self->stack.alt ||
	    altstack_target_seen().ss_sp != tight ||
	    altstack_target_seen().ss_size != sizeof tight ||
	    altstack_target_seen().ss_flags != 0)
		return __LINE__;
	if (altstack_target_set(tight, 16, 0, NULL) != -1 || errno != ENOMEM ||
	    altstack_target_set(tight, sizeof tight, 77, NULL) != -1 || errno !=
	    EINVAL)
		return __LINE__;
	if (altstack_target_set(large, sizeof large, 0, &old) != 0 ||
	    old.ss_sp != tight ||
	    altstack_target_real().ss_sp != self->stack.alt ||
	    altstack_target_seen().ss_sp != large)
		return __LINE__;
	if (altstack_target_set(tight, sizeof tight, 0, &old) != 0 ||
	    old.ss_sp != large)
		return __LINE__;
	if (altstack_target_set(NULL, 0, SS_DISABLE, &old) != 0 || old.ss_sp !=
	    tight ||
	    !altstack_target_is_none(altstack_target_seen()) ||
	    altstack_target_real().ss_sp != self->stack.alt)
		return __LINE__;
	return atomic_load(&self->coarse_clock.timer) != 0 ? 0 : __LINE__;
}

Test(altstack_small, a_small_one_behind_seccomp)
{
	int line = target_child(small_and_frozen);

	cr_expect_eq(line, 0, "line %d", line);
}

/* Context: O.  Tests of core/runtime/signal/exec_signals.c. */
#include "clock/tick.h"
#include "heap/alloc_slow.h"
#include "signal/exec_signals.h"
#include "signal/sigmask.h"
#include "target.h"
#include "thread/signal_chain.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <unistd.h>

TestSuite(exec_signals, .init = target_init, .fini = target_fini);

static void *
action(int sig)
{
	struct sys_sigaction now;

	cr_assert_eq(sys_sigaction(sig, NULL, &now), 0);
	return now.handler;
}

#define IGNORED	((void *)SIG_IGN)
#define OURS	((void *)tick_handler)

static void
program_ignores(void)
{
	virtual_signals.tick.handler = IGNORED;
	virtual_signals.front.handler = IGNORED;
	cr_assert_eq(action(SIGPROF), OURS);
	cr_assert_eq(action(SIGSTKFLT), OURS);
}

Test(exec_signals, what_is_ignored)
{
	struct exec_signals e;

	program_ignores();
	exec_signals_apply(&e);
	cr_expect_eq(action(SIGPROF), IGNORED);
	cr_expect_eq(action(SIGSTKFLT), IGNORED);
	exec_signals_restore(&e);
	cr_expect_eq(action(SIGPROF), OURS);
	cr_expect_eq(action(SIGSTKFLT), OURS);
}

Test(exec_signals, nothing_else)
{
	struct exec_signals e;

	exec_signals_apply(&e);
	cr_expect_eq(action(SIGPROF), OURS);
	exec_signals_restore(&e);
	cr_expect_eq(action(SIGPROF), OURS);
}

/* The first to be back must not spoil it for the other's child. */
Test(exec_signals, two_at_once)
{
	struct exec_signals a, b;

	program_ignores();
	target_slot();
	exec_signals_apply(&a);
	exec_signals_apply(&b);
	exec_signals_restore(&a);
	cr_expect_eq(action(SIGPROF), IGNORED);
	exec_signals_restore(&b);
	cr_expect_eq(action(SIGPROF), OURS);
	cr_expect_eq(target_loss(LOSS_DISPLACED), 0, "one thread");
	atomic_fetch_add(&mon->live, 1);
	exec_signals_apply(&a);
	cr_expect_eq(target_loss(LOSS_DISPLACED), 1, "its ticks are lost");
	exec_signals_restore(&a);
}

/* It execs, or ends, and never comes back. */
static char stack[65536];

static int
vfork_child(void *arg)
{
	struct exec_signals e;

	exec_signals_apply(&e);
	*(void **)arg = action(SIGPROF);
	return 0;
}

Test(exec_signals, vfork_children)
{
	void *seen = NULL;
	pid_t pid;

	program_ignores();
	atomic_fetch_add(&virtual_signals.vforks, 1);
	pid = clone(vfork_child, stack + sizeof stack, CLONE_VM | CLONE_VFORK,
	    &seen);
	cr_assert_gt(pid, 0);
	atomic_fetch_sub(&virtual_signals.vforks, 1);
	cr_expect_eq(seen, IGNORED);
	cr_expect_eq(atomic_load(&virtual_signals.exposers), 0);
	cr_expect_eq(action(SIGPROF), OURS);
}

/* Forked while another thread was between the two. */
static int
fork_child(void)
{
	exec_signals_fork_child();
	if (atomic_load(&virtual_signals.exposers) != 0 ||
	    action(SIGPROF) != OURS)
		return __LINE__;
	return 0;
}

Test(exec_signals, fork_children)
{
	struct exec_signals e;
	int line;

	program_ignores();
	exec_signals_apply(&e);
	line = target_child(fork_child);
	exec_signals_restore(&e);
	cr_expect_eq(line, 0, "line %d", line);
}

static int
not_followed(void)
{
	const struct sys_sigaction none = {.handler = IGNORED};

	sys_sigaction(SIGSEGV, &none, NULL);
	signal_chain_guard_segv();
	signal_chain_guard_bus();
	if (action(SIGSEGV) == IGNORED || action(SIGBUS) == (void *)SIG_DFL)
		return __LINE__;
	exec_signals_uninstall();
	if (action(SIGSEGV) != IGNORED)
		return __LINE__;
	if (action(SIGBUS) != (void *)SIG_DFL)
		return __LINE__;
	return action(SIGPROF) == OURS ? __LINE__ : 0;
}

Test(exec_signals, children_that_are_not_followed)
{
	int line = target_child(not_followed);

	cr_expect_eq(line, 0, "line %d", line);
}

/* A new image inherits an action that a vfork child set itself. */
static int
own_choice(void *arg)
{
	const struct sys_sigaction plain = {.handler = (void *)SIG_DFL};
	struct exec_signals e;

	sys_sigaction(SIGSEGV, &plain, NULL);
	exec_signals_apply(&e);
	((void **)arg)[0] = action(SIGSEGV);
	((void **)arg)[1] = action(SIGPROF);
	exec_signals_restore(&e);
	((void **)arg)[2] = action(SIGSEGV);
	((void **)arg)[3] = action(SIGPROF);
	return 0;
}

Test(exec_signals, what_vfork_children_choose)
{
	const struct sys_sigaction none = {.handler = IGNORED};
	void *seen[4] = {0};

	sys_sigaction(SIGSEGV, &none, NULL);
	signal_chain_guard_segv();
	program_ignores();
	atomic_fetch_add(&virtual_signals.vforks, 1);
	cr_assert_gt(clone(own_choice, stack + sizeof stack, CLONE_VM |
	    CLONE_VFORK, seen), 0);
	atomic_fetch_sub(&virtual_signals.vforks, 1);
	cr_expect_eq(seen[0], (void *)SIG_DFL);
	cr_expect_eq(seen[1], IGNORED);
	cr_expect_eq(seen[2], (void *)SIG_DFL);
	cr_expect_eq(seen[3], OURS);
}

/* As an allocation whose path is new, after 20 ms of CPU time. */
static int
allocate(void *unused)
{
	struct alloc_slow s = {0};

	(void)unused;
	while (sys_clock(CLOCK_THREAD_CPUTIME_ID) < 25000000)
		;
	alloc_slow_run(&s);
	return 0;
}

/* A vfork child has actions of its own, but our memory. */
Test(exec_signals, vfork_children_that_allocate)
{
	const struct sys_sigaction none = {.handler = IGNORED};

	sys_sigaction(SIGSEGV, &none, NULL);
	atomic_fetch_add(&virtual_signals.vforks, 1);
	cr_assert_gt(clone(allocate, stack + sizeof stack, CLONE_VM |
	    CLONE_VFORK, NULL), 0);
	atomic_fetch_sub(&virtual_signals.vforks, 1);
	cr_expect_not(virtual_signals.faults[VIRTUAL_FAULT_SEGV].installed);
	allocate(NULL);
	cr_expect(virtual_signals.faults[VIRTUAL_FAULT_SEGV].installed);
	cr_expect_neq(action(SIGSEGV), IGNORED);
}

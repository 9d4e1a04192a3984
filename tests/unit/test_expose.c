/* Context: O.  Tests of core/runtime/expose.c. */
#include "expose.h"
#include "sigmask.h"
#include "target.h"
#include "tick.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <unistd.h>

TestSuite(expose, .init = target_init, .fini = target_fini);

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
	view.tick.handler = IGNORED;
	view.front.handler = IGNORED;
	cr_assert_eq(action(SIGPROF), OURS);
	cr_assert_eq(action(SIGSTKFLT), OURS);
}

Test(expose, what_is_ignored)
{
	struct exposed e;

	program_ignores();
	expose_begin(&e);
	cr_expect_eq(action(SIGPROF), IGNORED);
	cr_expect_eq(action(SIGSTKFLT), IGNORED);
	expose_end(&e);
	cr_expect_eq(action(SIGPROF), OURS);
	cr_expect_eq(action(SIGSTKFLT), OURS);
}

Test(expose, nothing_else)
{
	struct exposed e;

	expose_begin(&e);
	cr_expect_eq(action(SIGPROF), OURS);
	expose_end(&e);
	cr_expect_eq(action(SIGPROF), OURS);
}

/* The first to be back must not spoil it for the other's child. */
Test(expose, two_at_once)
{
	struct exposed a, b;

	program_ignores();
	target_slot();
	expose_begin(&a);
	expose_begin(&b);
	expose_end(&a);
	cr_expect_eq(action(SIGPROF), IGNORED);
	expose_end(&b);
	cr_expect_eq(action(SIGPROF), OURS);
	cr_expect_eq(target_loss(LOSS_DISPLACED), 0, "one thread");
	atomic_fetch_add(&mon->live, 1);
	expose_begin(&a);
	cr_expect_eq(target_loss(LOSS_DISPLACED), 1, "its ticks are lost");
	expose_end(&a);
}

/* It execs, or ends, and never comes back. */
static char stack[65536];

static int
vfork_child(void *arg)
{
	struct exposed e;

	expose_begin(&e);
	*(void **)arg = action(SIGPROF);
	return 0;
}

Test(expose, vfork_children)
{
	void *seen = NULL;
	pid_t pid;

	program_ignores();
	atomic_fetch_add(&view.vforks, 1);
	pid = clone(vfork_child, stack + sizeof stack, CLONE_VM | CLONE_VFORK,
	    &seen);
	cr_assert_gt(pid, 0);
	atomic_fetch_sub(&view.vforks, 1);
	cr_expect_eq(seen, IGNORED);
	cr_expect_eq(atomic_load(&view.exposers), 0);
	cr_expect_eq(action(SIGPROF), OURS);
}

/* Forked while another thread was between the two. */
static int
fork_child(void)
{
	expose_in_child();
	if (atomic_load(&view.exposers) != 0 || action(SIGPROF) != OURS)
		return __LINE__;
	return 0;
}

Test(expose, fork_children)
{
	struct exposed e;
	int line;

	program_ignores();
	expose_begin(&e);
	line = target_child(fork_child);
	expose_end(&e);
	cr_expect_eq(line, 0, "line %d", line);
}

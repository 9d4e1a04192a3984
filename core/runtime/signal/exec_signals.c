/*
 * Context: T.  Puts the program's own signal mask and actions in force for a
 * new process image, which inherits them: for exec (life/exec_image.c) and for
 * the hooks of posix_spawn, system, popen and wordexp (hook_spawn.c).  Also
 * repairs the actions in a fork child (process_begin.c), and gives all of them
 * back to the program in a fork child that is not followed (process_fork.c).
 */
#include "signal/exec_signals.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "signal/sigmask.h"
#include "thread/signal_chain.h"
#include "thread/signal_stack.h"

static bool
is_ignore_action(const struct sys_sigaction *a)
{
	return a->handler == (void *)SIG_IGN;
}

/* Returns whether the program ignores a memory fault that libmon handles. */
static bool
program_ignores_fault(const struct virtual_fault *fault)
{
	return fault->installed && is_ignore_action(&fault->program);
}

static bool
program_ignores_a_fault(void)
{
	bool ignored = false;

	for (unsigned i = 0; i < VIRTUAL_FAULTS; i++)
		ignored |= program_ignores_fault(&virtual_signals.faults[i]);
	return ignored;
}

/*
 * Ignores the signal for an image to come, if the program ignores it and
 * libmon's action is in force.  A vfork child may have set another action, in a
 * table of its own.
 */
static void
ignore_signal(int sig, const struct sys_sigaction *program)
{
	const struct sys_sigaction none = {.handler = (void *)SIG_IGN};
	struct sys_sigaction now;

	if (is_ignore_action(program) && sys_sigaction(sig, NULL, &now) == 0 &&
	    signal_chain_program_action(sig, &now) != NULL)
		sys_sigaction(sig, &none, NULL);
}

/* An exec resets handlers, but ignored signals stay ignored. */
static void
ignore_for_exec(void)
{
	ignore_signal(atomic_load(&virtual_signals.signal),
	    &virtual_signals.tick);
	if (virtual_signals.fronted != 0)
		ignore_signal(virtual_signals.fronted, &virtual_signals.front);
	for (unsigned i = 0; i < VIRTUAL_FAULTS; i++)
		if (virtual_signals.faults[i].installed)
			ignore_signal(virtual_fault_signals[i],
			    &virtual_signals.faults[i].program);
}

/* Puts libmon's actions in force again for all signals that it handles. */
static void
restore_own_actions(void)
{
	sys_sigaction(atomic_load(&virtual_signals.signal),
	    &virtual_signals.real_tick, NULL);
	if (virtual_signals.fronted != 0)
		signal_chain_install_fronted();
	for (unsigned i = 0; i < VIRTUAL_FAULTS; i++)
		if (virtual_signals.faults[i].installed)
			signal_chain_install_fault(virtual_fault_signals[i],
			    &virtual_signals.faults[i].program);
}

static bool
kernel_ignores_signal(int sig)
{
	struct sys_sigaction now;

	return sys_sigaction(sig, NULL, &now) == 0 && is_ignore_action(&now);
}

/*
 * Undoes what ignore_for_exec() did in a vfork child, whose exec has failed or
 * whose posix_spawn or the like has returned.
 */
static void
restore_actions_in_vfork(void)
{
	if (is_ignore_action(&virtual_signals.tick) &&
	    kernel_ignores_signal(atomic_load(&virtual_signals.signal)))
		sys_sigaction(atomic_load(&virtual_signals.signal),
		    &virtual_signals.real_tick, NULL);
	if (virtual_signals.fronted != 0 &&
	    is_ignore_action(&virtual_signals.front) &&
	    kernel_ignores_signal(virtual_signals.fronted))
		signal_chain_install_fronted();
	for (unsigned i = 0; i < VIRTUAL_FAULTS; i++)
		if (program_ignores_fault(&virtual_signals.faults[i]) &&
		    kernel_ignores_signal(virtual_fault_signals[i]))
			signal_chain_install_fault(virtual_fault_signals[i],
			    &virtual_signals.faults[i].program);
}

/*
 * Counts the threads that change the actions.  There is no lock, because a
 * child would inherit it, and a thread could wait for it for long.
 */
static void
enter_exec_window(void)
{
	atomic_fetch_add(&virtual_signals.exposers, 1);
	ignore_for_exec();
	/* Ticks of other threads are ignored as well. */
	if (atomic_load(&mon->live) > 1 &&
	    is_ignore_action(&virtual_signals.tick))
		loss_count(LOSS_DISPLACED, 1);
}

/* Undoes enter_exec_window() when the last thread leaves. */
static void
leave_exec_window(void)
{
	if (atomic_fetch_sub(&virtual_signals.exposers, 1) > 1)
		return;
	restore_own_actions();
	if (atomic_load(&virtual_signals.exposers) > 0)
		ignore_for_exec();	/* another thread entered meanwhile */
}

void
exec_signals_apply(struct exec_signals *e)
{
	e->active = virtual_signals.installed && !profiling_is_frozen();
	e->ignored = false;
	if (!e->active)
		return;
	e->mask = sigmask_apply_program();
	e->ignored = is_ignore_action(&virtual_signals.tick) ||
	    (virtual_signals.fronted != 0 &&
	    is_ignore_action(&virtual_signals.front)) ||
	    program_ignores_a_fault();
	if (!e->ignored)
		return;
	if (profiling_is_active())
		enter_exec_window();
	else
		/* a vfork child's actions are its own */
		ignore_for_exec();
}

void
exec_signals_restore(const struct exec_signals *e)
{
	if (!e->active)
		return;
	if (e->ignored) {
		if (profiling_is_active())
			leave_exec_window();
		else
			restore_actions_in_vfork();
	}
	sigmask_restore(e->mask);
}

STATE_START void
exec_signals_fork_child(void)
{
	/* The page stays shared with the parent if nothing is stored in it. */
	if (atomic_load(&virtual_signals.exposers) != 0 &&
	    atomic_exchange(&virtual_signals.exposers, 0) != 0)
		restore_own_actions();
}

/* Resets the program's action as clone3(2) does: ignored signals stay. */
static void
clear_handler(struct sys_sigaction *program)
{
	if (!is_ignore_action(program))
		*program = (struct sys_sigaction) { 0 };
}

STATE_START void
exec_signals_clear_child(void)
{
	if (!virtual_signals.installed || profiling_is_frozen())
		return;
	clear_handler(&virtual_signals.tick);
	clear_handler(&virtual_signals.front);
	for (unsigned i = 0; i < VIRTUAL_FAULTS; i++)
		clear_handler(&virtual_signals.faults[i].program);
	restore_own_actions();
}

/*
 * Sets the program's action.  libmon's alternate stack stays set, so an
 * SA_ONSTACK handler is wrapped.
 */
static void
set_program_action(int sig, const struct sys_sigaction *program)
{
	struct sys_sigaction act = *program;

	signal_stack_wrap(sig, &act);
	sys_sigaction(sig, &act, NULL);
}

void
exec_signals_uninstall(void)
{
	struct exec_signals e;

	exec_signals_apply(&e);
	if (virtual_signals.installed)
		set_program_action(atomic_load(&virtual_signals.signal),
		    &virtual_signals.tick);
	if (virtual_signals.fronted != 0)
		set_program_action(virtual_signals.fronted,
		    &virtual_signals.front);
	for (unsigned i = 0; i < VIRTUAL_FAULTS; i++)
		if (virtual_signals.faults[i].installed) {
			set_program_action(virtual_fault_signals[i],
			    &virtual_signals.faults[i].program);
			virtual_signals.faults[i].installed = false;
		}
	virtual_signals.installed = false;
	virtual_signals.fronted = 0;
}

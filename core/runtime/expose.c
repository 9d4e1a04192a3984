/* Context: T.  What a new process image is to inherit of the signals. */
#include "expose.h"

#include "onstack.h"
#include "sigmask.h"
#include "start.h"
#include "view.h"

static bool
is_ignored(const struct sys_sigaction *a)
{
	return a->handler == (void *)SIG_IGN;
}

static const int faults[] = {SIGBUS, SIGSEGV};

static bool
is_ignored_fault(int sig)
{
	const struct sys_sigaction *a = view_of_fault(sig);

	return a != NULL && is_ignored(a);
}

/*
 * Ignores the signal for an image to come, if the program does and our action
 * is in force.  A vfork child may have set another, in a table of its own.
 */
static void
ignore_one(int sig, const struct sys_sigaction *program)
{
	const struct sys_sigaction none = {.handler = (void *)SIG_IGN};
	struct sys_sigaction now;

	if (is_ignored(program) && sys_sigaction(sig, NULL, &now) == 0 &&
	    view_behind(sig, &now) != NULL)
		sys_sigaction(sig, &none, NULL);
}

/* An exec resets handlers, but keeps what is ignored. */
static void
ignore(void)
{
	unsigned i;

	ignore_one(atomic_load(&view.signal), &view.tick);
	if (view.fronted != 0)
		ignore_one(view.fronted, &view.front);
	for (i = 0; i < 2; i++)
		if (view_of_fault(faults[i]) != NULL)
			ignore_one(faults[i], view_of_fault(faults[i]));
}

static void
restore(void)
{
	unsigned i;

	sys_sigaction(atomic_load(&view.signal), &view.real_tick, NULL);
	if (view.fronted != 0)
		view_install_front();
	for (i = 0; i < 2; i++)
		if (view_of_fault(faults[i]) != NULL)
			view_install_fault(faults[i],
			    view_of_fault(faults[i]));
}

static bool
is_ignored_now(int sig)
{
	struct sys_sigaction now;

	return sys_sigaction(sig, NULL, &now) == 0 && is_ignored(&now);
}

/* Undoes what ignore() did, because the exec of a vfork child has failed. */
static void
restore_in_child(void)
{
	unsigned i;

	if (is_ignored(&view.tick) && is_ignored_now(atomic_load(&view.signal)))
		sys_sigaction(atomic_load(&view.signal), &view.real_tick,
		    NULL);
	if (view.fronted != 0 && is_ignored(&view.front) &&
	    is_ignored_now(view.fronted))
		view_install_front();
	for (i = 0; i < 2; i++)
		if (is_ignored_fault(faults[i]) && is_ignored_now(faults[i]))
			view_install_fault(faults[i],
			    view_of_fault(faults[i]));
}

/* No lock: a child would inherit it, and who waits for it could wait long. */
static void
count_in(void)
{
	atomic_fetch_add(&view.exposers, 1);
	ignore();
	/* Ticks of other threads are ignored as well. */
	if (atomic_load(&mon->live) > 1 && is_ignored(&view.tick))
		loss_count(LOSS_DISPLACED, 1);
}

static void
count_out(void)
{
	if (atomic_fetch_sub(&view.exposers, 1) > 1)
		return;
	restore();
	if (atomic_load(&view.exposers) > 0)
		ignore();	/* one more came meanwhile */
}

void
expose_begin(struct exposed *e)
{
	e->active = view.installed && !start_boxed();
	e->ignored = false;
	if (!e->active)
		return;
	e->mask = sigmask_expose();
	e->ignored = is_ignored(&view.tick) ||
	    (view.fronted != 0 && is_ignored(&view.front)) ||
	    is_ignored_fault(SIGBUS) || is_ignored_fault(SIGSEGV);
	if (!e->ignored)
		return;
	if (start_active())
		count_in();
	else
		ignore();	/* a vfork child's actions are its own */
}

void
expose_end(const struct exposed *e)
{
	if (!e->active)
		return;
	if (e->ignored) {
		if (start_active())
			count_out();
		else
			restore_in_child();
	}
	sigmask_conceal(e->mask);
}

STATE_START void
expose_in_child(void)
{
	/* The page stays shared with the parent if nothing is stored in it. */
	if (atomic_load(&view.exposers) != 0 &&
	    atomic_exchange(&view.exposers, 0) != 0)
		restore();
}

/* Our alternate stack stays set, so a handler there needs ours before it. */
static void
give_back(int sig, const struct sys_sigaction *program)
{
	struct sys_sigaction act = *program;

	onstack_wrap(sig, &act);
	sys_sigaction(sig, &act, NULL);
}

void
expose_for_good(void)
{
	struct exposed e;
	unsigned i;

	expose_begin(&e);
	if (view.installed)
		give_back(atomic_load(&view.signal), &view.tick);
	if (view.fronted != 0)
		give_back(view.fronted, &view.front);
	for (i = 0; i < 2; i++)
		if (view_of_fault(faults[i]) != NULL)
			give_back(faults[i], view_of_fault(faults[i]));
	view.installed = view.bus_installed = view.segv_installed = false;
	view.fronted = 0;
}

/*
 * Context: T.  Tells hooks and the other rooms whether libmon may work in the
 * calling process, at any time and in signal handlers; see profiling.h.
 */
#include "base/profiling.h"

#include "base/state.h"

/*
 * The function that begins a fork child.  The start of a process writes it
 * once, before any hook finds `mon` set, so no lock is needed; a fork child has
 * its parent's value.
 * GNU ld sorts .bss by name: this name puts the word into the page of `mon`,
 * which the start writes anyway.
 */
static void (*profiling_begin_child)(void);

void
profiling_set_child_begin(void (*begin)(void))
{
	profiling_begin_child = begin;
}

STATE_START bool
profiling_is_active(void)
{
	if (mon == NULL || config.starting)
		return false;
	if (mon->pid == 0)
		/* made by a raw clone, or the atfork handler has not run yet */
		profiling_begin_child();
	return mon->pid != 0 && (atomic_load(&virtual_signals.vforks) == 0 ||
	    (!profiling_is_frozen() && mon->pid == sys_getpid()));
}

STATE_START bool
profiling_is_frozen(void)
{
	return atomic_load(&virtual_signals.boxed);
}

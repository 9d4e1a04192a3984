/*
 * Context: T.  Translates the signal set that the program passes to a call that
 * waits, for the hooks of such calls (preload/signal); see wait_set.h.
 */
#include "signal/wait_set.h"

#include "base/profiling.h"
#include "base/user_memory.h"
#include "signal/sigmask.h"
#include "signal/signal_move.h"

/*
 * Reads the set that has to be translated.  Returns false if the kernel gets
 * the set as it is: there is none, it cannot be read, or libmon does not work
 * in this process (not profiled, a vfork child).
 */
static bool
read_wait_set(const sigset_t *set, uint64_t *bits)
{
	return set != NULL && virtual_signals.installed &&
	    profiling_is_active() && user_memory_read_set(set, bits);
}

const sigset_t *
wait_set_for_mask(const sigset_t *set, sigset_t *copy)
{
	struct signal_mask_program unused;
	uint64_t bits;

	if (!read_wait_set(set, &bits))
		return set;
	bits = signal_mask_real(bits, &unused);
	/*
	 * While a handler of the program runs on an alternate stack, the tick's
	 * signal is blocked, and a tick may be pending.  If the call unblocked
	 * that signal, the tick would end the call.  The check costs a system
	 * call.
	 */
	if (atomic_load(&virtual_signals.may_hold) && !profiling_is_frozen() &&
	    sigmask_holds_tick())
		bits |= signal_mask_tick();
	sigmask_set(copy, bits);
	return copy;
}

const sigset_t *
wait_set_for_signals(const sigset_t *set, sigset_t *copy)
{
	uint64_t bits;

	if (!read_wait_set(set, &bits))
		return set;
	if ((bits & signal_mask_tick()) != 0)
		signal_move_ticks();
	sigmask_set(copy, bits & ~signal_mask_tick());
	return copy;
}

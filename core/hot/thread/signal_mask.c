/*
 * Context: S.  Converts signal masks, for signal_chain.c and
 * core/runtime/signal; see signal_mask.h.
 */
#include "thread/signal_mask.h"

__thread struct signal_mask_own signal_mask_own;

uint64_t
signal_mask_virtual(uint64_t real)
{
	const struct signal_mask_program *a = &signal_mask_own.program;
	uint64_t tick = signal_mask_tick(), seen = real & ~tick;

	if (virtual_signals.moved)
		return seen | (a->other ? tick : 0);
	seen &= ~(SIGNAL_MASK_SHADOW | signal_mask_other());
	if ((real & SIGNAL_MASK_SHADOW) != 0 && !a->shadow_only)
		seen |= tick;
	if ((real & SIGNAL_MASK_SHADOW) != 0 && a->shadow)
		seen |= SIGNAL_MASK_SHADOW;
	if (a->other)
		seen |= signal_mask_other();
	return seen;
}

uint64_t
signal_mask_real(uint64_t wanted, struct signal_mask_program *asked)
{
	uint64_t tick = signal_mask_tick(), other = signal_mask_other();
	uint64_t real = wanted & ~tick;

	asked->settled = virtual_signals.moved;
	asked->shadow = asked->shadow_only = false;
	if (virtual_signals.moved) {
		asked->other = (wanted & tick) != 0;
		return real;
	}
	asked->other = (wanted & other) != 0;
	asked->shadow = (wanted & SIGNAL_MASK_SHADOW) != 0;
	asked->shadow_only = asked->shadow && (wanted & tick) == 0;
	if ((wanted & tick) != 0)
		real |= SIGNAL_MASK_SHADOW;
	return real & ~other;
}

uint64_t
signal_mask_apply_move(uint64_t real)
{
	struct signal_mask_program *a = &signal_mask_own.program;

	/*
	 * After the move, signal_mask_other() is the former signal of the tick.
	 */
	if ((real & SIGNAL_MASK_SHADOW) != 0 && !a->shadow_only)
		real |= signal_mask_other();
	if (!a->shadow)
		real &= ~SIGNAL_MASK_SHADOW;
	a->settled = true;
	return real & ~signal_mask_tick();
}

/* Context: S.  A thread's signal mask: the real one, the program's view. */
#include "mask.h"

__thread struct mask_own mask_own;

uint64_t
mask_seen(uint64_t real)
{
	const struct mask_asked *a = &mask_own.asked;
	uint64_t tick = mask_tick(), seen = real & ~tick;

	if (view.moved)
		return seen | (a->other ? tick : 0);
	seen &= ~(MASK_SHADOW | mask_other());
	if ((real & MASK_SHADOW) != 0 && !a->shadow_only)
		seen |= tick;
	if ((real & MASK_SHADOW) != 0 && a->shadow)
		seen |= MASK_SHADOW;
	if (a->other)
		seen |= mask_other();
	return seen;
}

uint64_t
mask_real(uint64_t wanted, struct mask_asked *asked)
{
	uint64_t tick = mask_tick(), other = mask_other();
	uint64_t real = wanted & ~tick;

	asked->settled = view.moved;
	asked->shadow = asked->shadow_only = false;
	if (view.moved) {
		asked->other = (wanted & tick) != 0;
		return real;
	}
	asked->other = (wanted & other) != 0;
	asked->shadow = (wanted & MASK_SHADOW) != 0;
	asked->shadow_only = asked->shadow && (wanted & tick) == 0;
	if ((wanted & tick) != 0)
		real |= MASK_SHADOW;
	return real & ~other;
}

uint64_t
mask_settle(uint64_t real)
{
	struct mask_asked *a = &mask_own.asked;

	/* After the move the other is what the tick's signal was. */
	if ((real & MASK_SHADOW) != 0 && !a->shadow_only)
		real |= mask_other();
	if (!a->shadow)
		real &= ~MASK_SHADOW;
	a->settled = true;
	return real & ~mask_tick();
}

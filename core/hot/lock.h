/*
 * Context: S.  A lock for less than a microsecond, of threads that are no signal's
 * handler.  Its word is who holds it, 0 nobody, so that one who was interrupted and
 * left it can find it again.
 */
#ifndef LOCK_H
#define LOCK_H

#include "state.h"

/* Not there at once; false after ten seconds. */
bool lock_wait(_Atomic uint32_t *lock, uint32_t id);

static inline bool
lock_take(_Atomic uint32_t *lock, uint32_t id)
{
	uint32_t none = 0;

	return atomic_compare_exchange_strong_explicit(lock, &none, id,
	    memory_order_acquire, memory_order_relaxed) || lock_wait(lock, id);
}

static inline void
lock_drop(_Atomic uint32_t *lock)
{
	atomic_store_explicit(lock, 0, memory_order_release);
}

#endif

/*
 * Context: S.  A lock for less than a microsecond, of threads that are no
 * signal's handler.  Its word is who holds it, 0 nobody, so that one who was
 * interrupted and left it can find it again.
 */
#ifndef ROBUST_LOCK_H
#define ROBUST_LOCK_H

#include "base/state.h"

enum robust_lock_result {
	ROBUST_LOCK_TIMEOUT,		/* it was waited for for ten seconds */
	ROBUST_LOCK_TAKEN,
	ROBUST_LOCK_OWNER_DEAD,		/* ... from a thread that is gone: what it was
				   at may be of no use */
};

/* Not there at once. */
enum robust_lock_result robust_lock_wait(_Atomic uint32_t *lock, uint32_t id);

static inline enum robust_lock_result
robust_lock_take(_Atomic uint32_t *lock, uint32_t id)
{
	uint32_t none = 0;

	return atomic_compare_exchange_strong_explicit(lock, &none, id,
	    memory_order_acquire, memory_order_relaxed) ? ROBUST_LOCK_TAKEN :
	    robust_lock_wait(lock, id);
}

/* From a thread that is not at it any more: whoever is first to find out. */
static inline bool
robust_lock_take_over(_Atomic uint32_t *lock, uint32_t holder, uint32_t id)
{
	return atomic_compare_exchange_strong(lock, &holder, id);
}

/* Who gives up for that holder: no lane's record is so large. */
#define ROBUST_LOCK_RECOVERER(id)	(~(id))

/*
 * By who gives up for its holder: false, that does not hold it.  It may be left
 * amid this, too, and is found again.
 */
static inline bool
robust_lock_recover(_Atomic uint32_t *lock, uint32_t id)
{
	return robust_lock_take_over(lock, id, ROBUST_LOCK_RECOVERER(id)) ||
	    atomic_load(lock) == ROBUST_LOCK_RECOVERER(id);
}

static inline void
robust_lock_drop(_Atomic uint32_t *lock)
{
	atomic_store_explicit(lock, 0, memory_order_release);
}

#endif

/*
 * Context: S.  A lock for less than a microsecond, of threads that are no
 * signal's handler.  Its word is who holds it, 0 nobody, so that one who was
 * interrupted and left it can find it again.
 */
#ifndef LOCK_H
#define LOCK_H

#include "state.h"

enum lock_told {
	LOCK_NOT,		/* it was waited for for ten seconds */
	LOCK_TAKEN,
	LOCK_LEFT,		/* ... from a thread that is gone: what it was
				   at may be of no use */
};

/* Not there at once. */
enum lock_told lock_wait(_Atomic uint32_t *lock, uint32_t id);

static inline enum lock_told
lock_take(_Atomic uint32_t *lock, uint32_t id)
{
	uint32_t none = 0;

	return atomic_compare_exchange_strong_explicit(lock, &none, id,
	    memory_order_acquire, memory_order_relaxed) ? LOCK_TAKEN :
	    lock_wait(lock, id);
}

/* From a thread that is not at it any more: whoever is first to find out. */
static inline bool
lock_take_from(_Atomic uint32_t *lock, uint32_t holder, uint32_t id)
{
	return atomic_compare_exchange_strong(lock, &holder, id);
}

/* Who gives up for that holder: no lane's record is so large. */
#define LOCK_LEAVER(id)	(~(id))

/*
 * By who gives up for its holder: false, that does not hold it.  It may be left
 * amid this, too, and is found again.
 */
static inline bool
lock_take_left(_Atomic uint32_t *lock, uint32_t id)
{
	return lock_take_from(lock, id, LOCK_LEAVER(id)) ||
	    atomic_load(lock) == LOCK_LEAVER(id);
}

static inline void
lock_drop(_Atomic uint32_t *lock)
{
	atomic_store_explicit(lock, 0, memory_order_release);
}

#endif

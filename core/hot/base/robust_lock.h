/*
 * Context: S.  A lock that is held for some microseconds as a rule and survives
 * the death of its holder.  The heap's tables, its pool of memory, the mappings
 * and the peak have such locks; the threads that count allocations and mappings
 * take them.  Code that may have interrupted a holder must not take it: its
 * callers count no allocation amid another one, or have signals blocked.
 *
 * The lock's word is the holder's id: the index of the holder's allocation
 * thread record in the file (alloc_thread.record), which is never 0; 0 means
 * free.  So a thread that left a call in the middle can see that it still holds
 * the lock.
 */
#ifndef ROBUST_LOCK_H
#define ROBUST_LOCK_H

#include "base/state.h"

/* The outcome of an attempt to take a lock. */
enum robust_lock_result {
	/*
	 * another thread held it for ten seconds; in a frozen process, whose
	 * threads may not sleep, for 11,100 looks
	 */
	ROBUST_LOCK_TIMEOUT,
	ROBUST_LOCK_TAKEN,	/* the caller holds it */
	/*
	 * The caller holds it and took it from a thread that has ended.  The
	 * data that the lock guards may be inconsistent.
	 */
	ROBUST_LOCK_OWNER_DEAD,
};

/*
 * Waits for a lock that another thread holds, for some ten seconds at most.
 * id: that of the caller.  Returns whether the caller holds it now, and whether
 * its last holder had died.  robust_lock_take() calls it.
 */
enum robust_lock_result robust_lock_wait(_Atomic uint32_t *lock, uint32_t id);

/*
 * Takes the lock for the caller, whose id is `id`, and waits if another thread
 * holds it.  Returns as robust_lock_wait().  The caller has not interrupted a
 * holder.
 */
static inline enum robust_lock_result
robust_lock_take(_Atomic uint32_t *lock, uint32_t id)
{
	uint32_t none = 0;

	return atomic_compare_exchange_strong_explicit(lock, &none, id,
	    memory_order_acquire, memory_order_relaxed) ? ROBUST_LOCK_TAKEN :
	    robust_lock_wait(lock, id);
}

/*
 * Makes `id` the holder instead of `holder`, a thread that does not use the
 * lock any more.  Returns whether it did; of several threads that try, the
 * first one succeeds.
 */
static inline bool
robust_lock_take_over(_Atomic uint32_t *lock, uint32_t holder, uint32_t id)
{
	return atomic_compare_exchange_strong(lock, &holder, id);
}

/*
 * The id that marks a lock whose holder `id` has left its call, while that is
 * cleaned up.  It differs from every id, because the index of a record is never
 * so large.
 */
#define ROBUST_LOCK_RECOVERER(id)	(~(id))

/*
 * Prepares to drop the lock for its holder `id`, which has left its call in the
 * middle; after the cleanup the caller calls robust_lock_drop().  Returns false
 * if `id` does not hold it.  If the cleanup is interrupted for good, too, the
 * next call finds the lock again.
 */
static inline bool
robust_lock_recover(_Atomic uint32_t *lock, uint32_t id)
{
	return robust_lock_take_over(lock, id, ROBUST_LOCK_RECOVERER(id)) ||
	    atomic_load(lock) == ROBUST_LOCK_RECOVERER(id);
}

/*
 * Frees the lock.  The caller holds it, or recovers it, or has given up waiting
 * for its holder.
 */
static inline void
robust_lock_drop(_Atomic uint32_t *lock)
{
	atomic_store_explicit(lock, 0, memory_order_release);
}

#endif

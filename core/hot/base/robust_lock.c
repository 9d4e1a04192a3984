/*
 * Context: S.  Waits for a lock that another thread holds, for
 * robust_lock_take(); see robust_lock.h.  The caller is a thread that counts an
 * allocation or a mapping.
 */
#include "base/robust_lock.h"

#include "heap/alloc_thread.h"

#define SPINS	100u
#define YIELDS	1000u
#define SLEEPS	10000u	/* ms */
/* looks between two checks that the holder still exists */
#define LOOKS	16u

/*
 * Returns whether the thread that holds the lock as `holder`, or recovers it
 * for that id, has ended.  A thread that is cancelled in the middle of a call
 * does not drop its locks.  Returns false for an id that no alloc_thread of the
 * present file has.
 */
static bool
is_owner_dead(uint32_t holder)
{
	const struct alloc_thread *l = atomic_load(&mon->alloc_threads);

	while (l != NULL && ((l->record != holder &&
	    ROBUST_LOCK_RECOVERER(l->record) != holder) ||
	    !alloc_thread_is_current(l)))
		l = l->next;
	return l != NULL && sys_tgkill(mon->pid, l->tid, 0) == -ESRCH;
}

/*
 * Sleeps for a millisecond, or takes the lock from a holder that has ended.  i:
 * number of this look.  Returns whether the caller holds the lock now.
 */
static bool
sleep_or_take_over(unsigned i, _Atomic uint32_t *lock, uint32_t id)
{
	const struct timespec ms = {0, 1000000};
	const uint32_t holder = i % LOOKS == 0 ? atomic_load(lock) : 0;

	if (holder != 0 && is_owner_dead(holder))
		return robust_lock_take_over(lock, holder, id);
	SYS(nanosleep, &ms, NULL, 0, 0, 0, 0);
	return false;
}

/*
 * The holder needs the lock for microseconds, if it has a processor.  Beside
 * hundreds of running threads it may have none for seconds.
 */
enum robust_lock_result
robust_lock_wait(_Atomic uint32_t *lock, uint32_t id)
{
	uint32_t none;

	for (unsigned i = 0; i < SPINS + YIELDS + SLEEPS; i++) {
		none = 0;
		if (atomic_compare_exchange_weak_explicit(lock, &none, id,
		    memory_order_acquire, memory_order_relaxed))
			return ROBUST_LOCK_TAKEN;
		if (i < SPINS || atomic_load(&mon->frozen))
			arch_cpu_relax();
		else if (i < SPINS + YIELDS)
			SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		else if (sleep_or_take_over(i, lock, id))
			return ROBUST_LOCK_OWNER_DEAD;
	}
	return ROBUST_LOCK_TIMEOUT;
}

/* Context: S.  Waiting for a lock; see lock.h. */
#include "lock.h"

#define SPINS	100u
#define YIELDS	1000u
#define SLEEPS	10000u	/* ms */

/*
 * Who holds it needs it for less than a microsecond, if it has a processor; beside
 * hundreds of threads that run it may have none for seconds.
 */
bool
lock_wait(_Atomic uint32_t *lock, uint32_t id)
{
	const struct timespec ms = {0, 1000000};
	uint32_t none;
	unsigned i;

	for (i = 0; i < SPINS + YIELDS + SLEEPS; i++) {
		none = 0;
		if (atomic_compare_exchange_weak_explicit(lock, &none, id,
		    memory_order_acquire, memory_order_relaxed))
			return true;
		if (i < SPINS || atomic_load(&mon->frozen))
			arch_pause();
		else if (i < SPINS + YIELDS)
			SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		else
			SYS(nanosleep, &ms, NULL, 0, 0, 0, 0);
	}
	return false;
}

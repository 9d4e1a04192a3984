/* Context: S.  Waiting for a lock; see lock.h. */
#include "lock.h"

#include "lane.h"

#define SPINS	100u
#define YIELDS	1000u
#define SLEEPS	10000u	/* ms */
#define LOOKS	16u	/* every so many: is its holder still there? */

/* Cancelled amid a call, it did not say so. */
static bool
is_gone(uint32_t holder)
{
	const struct lane *l = atomic_load(&mon->lanes);

	while (l != NULL && ((l->record != holder &&
	    LOCK_LEAVER(l->record) != holder) || !lane_is_current(l)))
		l = l->next;
	return l != NULL && sys_tgkill(mon->pid, l->tid, 0) == -ESRCH;
}

static bool
sleep_a_while(unsigned i, _Atomic uint32_t *lock, uint32_t id)
{
	const struct timespec ms = {0, 1000000};
	const uint32_t holder = i % LOOKS == 0 ? atomic_load(lock) : 0;

	if (holder != 0 && is_gone(holder))
		return lock_take_from(lock, holder, id);
	SYS(nanosleep, &ms, NULL, 0, 0, 0, 0);
	return false;
}

/*
 * Who holds it needs it for less than a microsecond, if it has a processor;
 * beside hundreds of threads that run it may have none for seconds.
 */
enum lock_told
lock_wait(_Atomic uint32_t *lock, uint32_t id)
{
	uint32_t none;
	unsigned i;

	for (i = 0; i < SPINS + YIELDS + SLEEPS; i++) {
		none = 0;
		if (atomic_compare_exchange_weak_explicit(lock, &none, id,
		    memory_order_acquire, memory_order_relaxed))
			return LOCK_TAKEN;
		if (i < SPINS || atomic_load(&mon->frozen))
			arch_pause();
		else if (i < SPINS + YIELDS)
			SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		else if (sleep_a_while(i, lock, id))
			return LOCK_LEFT;
	}
	return LOCK_NOT;
}

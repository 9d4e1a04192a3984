/*
 * Context: S.  Several copies of this library in one process.
 *
 * A build's own path in LD_PRELOAD can stand beside /etc/ld.so.preload, or a
 * list can name several builds.  The loader binds an exported name to the first
 * object that defines it: a copy whose reference is bound to another object is
 * not the first.
 */
#include "copies.h"

#include "loss.h"

#include <stdatomic.h>

#define EXPORTED	__attribute__((visibility("default")))

/* The number of other copies; used in the first copy. */
extern EXPORTED _Atomic unsigned libmon_copies;
EXPORTED _Atomic unsigned libmon_copies;

extern _Atomic unsigned own
    __attribute__((alias("libmon_copies"), visibility("hidden")));

bool
copies_is_second(void)
{
	if (&libmon_copies == &own)
		return false;
	atomic_fetch_add(&libmon_copies, 1);
	return true;
}

void
copies_tell(struct format_header *h)
{
	__atomic_store_n(&h->loss[LOSS_COPIES], atomic_load(&own),
	    __ATOMIC_RELAXED);
}

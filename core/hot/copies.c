/*
 * Context: S.  Several copies of this library in one process.
 *
 * A build's own path in LD_PRELOAD can stand beside /etc/ld.so.preload, or a
 * list can name several builds.  The loader binds an exported name to the first
 * object that defines it: a copy whose reference is bound to another object is
 * not the first.
 */
#include "copies.h"

#include "loaded.h"
#include "loss.h"

#include <stdatomic.h>

#define EXPORTED	__attribute__((visibility("default")))

/* The number of other copies; used in the first copy. */
extern EXPORTED _Atomic unsigned libmon_copies;
EXPORTED _Atomic unsigned libmon_copies;

extern _Atomic unsigned own
    __attribute__((alias("libmon_copies"), visibility("hidden")));

/*
 * Returns the counter of another copy in the program's namespace, or NULL if
 * this copy is in that namespace or no copy is.  A copy that dlmopen(3) opened
 * binds to itself alone, and is not in the list of the program's objects.
 */
static _Atomic unsigned *
of_program(void)
{
	_Atomic unsigned *other = NULL;
	const struct loaded *l;

	for (l = loaded_first; l != NULL; l = l->next) {
		if (loaded_is_own(l))
			return NULL;
		if (other == NULL)
			other = loaded_object(l, "libmon_copies");
	}
	return other;
}

bool
copies_is_second(void)
{
	_Atomic unsigned *first = &libmon_copies;

	if (first == &own)
		first = of_program();
	if (first == NULL)
		return false;
	atomic_fetch_add(first, 1);
	return true;
}

void
copies_tell(struct format_header *h)
{
	__atomic_store_n(&h->loss[LOSS_COPIES], atomic_load(&own),
	    __ATOMIC_RELAXED);
}

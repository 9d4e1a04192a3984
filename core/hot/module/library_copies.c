/*
 * Context: S.  Handles several copies of this library in one process, for the
 * start, the making of a file and the seal.
 *
 * The path of a build in LD_PRELOAD can stand beside /etc/ld.so.preload, or a
 * list can name several builds.  The loader binds an exported name to the first
 * object that defines it: a copy whose reference is bound to another object is
 * not the first.
 */
#include "module/library_copies.h"

#include "loss.h"
#include "module/link_map.h"

#include <stdatomic.h>

#define EXPORTED	__attribute__((visibility("default")))

/* The number of other copies; used in the first copy. */
extern EXPORTED _Atomic unsigned libmon_copies;
EXPORTED _Atomic unsigned libmon_copies;

extern _Atomic unsigned own_copy_count
    __attribute__((alias("libmon_copies"), visibility("hidden")));

/*
 * Returns the counter of another copy in the program's namespace, or NULL if
 * this copy is in that namespace or no copy is.  A copy that dlmopen(3) opened
 * binds to itself alone, and is not in the list of the program's objects.
 */
static _Atomic unsigned *
find_program_copy(void)
{
	_Atomic unsigned *other = NULL;

	for (const struct link_map_object *l = link_map_first; l != NULL;
	    l = l->next) {
		if (link_map_is_own(l))
			return NULL;
		if (other == NULL)
			other = link_map_variable(l, "libmon_copies");
	}
	return other;
}

bool
library_copies_is_second(void)
{
	_Atomic unsigned *first = &libmon_copies;

	if (first == &own_copy_count)
		first = find_program_copy();
	if (first == NULL)
		return false;
	atomic_fetch_add(first, 1);
	return true;
}

void
library_copies_write(struct format_header *h)
{
	__atomic_store_n(&h->loss[LOSS_COPIES], atomic_load(&own_copy_count),
	    __ATOMIC_RELAXED);
}

/*
 * Context: O.  Sets the faults of the classic listing, with the exit status of
 * each, for the files of this folder.
 */
#include "listing.h"
#include "listing_parts.h"

int
listing_fault(struct fault *f, enum listing_exit code, const char *what,
    uint64_t offset)
{
	fault_set(f, what, offset, 0);
	return code;
}

int
listing_no_memory(struct fault *f)
{
	fault_set_no_memory(f);
	return LISTING_MEMORY;
}

/*
 * Context: O.  Without libunwind stacks are followed by frame pointers alone.
 */
#include "unwind.h"

#include "format.h"

uint64_t
unwind_regs(void)
{
	return 0;
}

size_t
unwind_callers(struct spaces *s, struct space *own, const struct krecord *k,
    uint64_t *to, size_t most, unsigned *why)
{
	(void)s;
	(void)own;
	(void)k;
	(void)to;
	(void)most;
	*why = FORMAT_CUT_TABLE;
	return 0;
}

void
unwind_forget(void *unwinder)
{
	(void)unwinder;
}

void
unwind_free(void *unwinder)
{
	(void)unwinder;
}

void
unwind_close(void *tables)
{
	(void)tables;
}

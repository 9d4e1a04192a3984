/*
 * Context: O.  Stands for perf_unwind.c and perf_unwind_state.c in a build
 * without libunwind: perf_unwind_regs() returns 0, so tprof refuses
 * --stacks=copy, and the other functions have nothing to do.
 */
#include "process/perf_unwind.h"

#include "format.h"
#include "process/perf_unwind_state.h"

uint64_t
perf_unwind_regs(void)
{
	return 0;
}

size_t
perf_unwind_callers(struct address_spaces *s, struct address_space *own,
    const struct perf_record *k, uint64_t *to, size_t most, unsigned *why)
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
perf_unwind_state_forget(void *unwinder)
{
	(void)unwinder;
}

void
perf_unwind_state_free(void *unwinder)
{
	(void)unwinder;
}

void
perf_unwind_state_close(void *tables)
{
	(void)tables;
}

/*
 * Context: S.  Counts the processes that this one makes, and reads the CPU time
 * of those that it has waited for, for hooks of fork (process_fork.c) and the
 * writers of the header's times; see children.h.
 */
#include "thread/children.h"

#include "base/store_header.h"
#include "store/store.h"

static uint64_t
rusage_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

uint64_t
children_cpu(void)
{
	struct rusage r;

	if (SYS(getrusage, RUSAGE_CHILDREN, &r, 0, 0, 0, 0) != 0)
		return 0;
	return rusage_ns(&r.ru_utime) + rusage_ns(&r.ru_stime);
}

void
children_write_count(void)
{
	struct format_header *h = store_header();

	if (h != NULL)
		h->children = atomic_load_explicit(&mon->children,
		    memory_order_relaxed);
}

void
children_write(struct format_header *h)
{
	h->children_ns = children_cpu();
	h->children = atomic_load_explicit(&mon->children,
	    memory_order_relaxed);
}

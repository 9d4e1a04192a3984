/* Context: S.  The CPU time of the processes that this one has waited for. */
#include "children.h"

#include "store.h"

static uint64_t
ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

uint64_t
children_cpu(void)
{
	struct rusage r;

	if (SYS(getrusage, RUSAGE_CHILDREN, &r, 0, 0, 0, 0) != 0)
		return 0;
	return ns_of(&r.ru_utime) + ns_of(&r.ru_stime);
}

void
children_record_number(void)
{
	struct format_header *h = store_header();

	if (h != NULL)
		h->children = atomic_load_explicit(&mon->children,
		    memory_order_relaxed);
}

void
children_record(struct format_header *h)
{
	h->children_ns = children_cpu();
	h->children = atomic_load_explicit(&mon->children,
	    memory_order_relaxed);
}

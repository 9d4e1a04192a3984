/*
 * Context: T.  Writes the end into the profile, for seal.c and seal_exec.c; see
 * profile_end.h.
 */
#include "seal/profile_end.h"

#include "base/loss_count.h"
#include "base/state.h"
#include "heap_live/heap_timeline.h"
#include "module/library_copies.h"
#include "seal/seal_sums.h"
#include "thread/children.h"
#include "thread/thread_record.h"
#include "thread/thread_slot.h"

#include <sys/resource.h>
#include <sys/time.h>

static uint64_t
timeval_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

void
profile_end_write(struct format_header *h, enum format_end end, int status)
{
	struct rusage r;

	heap_timeline_finish();
	loss_count_move_early(h);
	library_copies_write(h);
	if (thread_slot_self != NULL && thread_slot_is_valid(thread_slot_self))
		thread_record_times(thread_slot_self);
	h->cpu_ns = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	h->cpu_mono = sys_clock(CLOCK_MONOTONIC);
	h->end_real = sys_clock(CLOCK_REALTIME);
	h->end_mono = h->cpu_mono;
	if (SYS(getrusage, RUSAGE_SELF, &r, 0, 0, 0, 0) == 0) {
		h->user_ns = timeval_ns(&r.ru_utime);
		h->system_ns = timeval_ns(&r.ru_stime);
	}
	children_write(h);
	seal_sums_write(h);
	h->end_ppid = (int)SYS(getppid, 0, 0, 0, 0, 0, 0);
	h->exit_status = status;
	h->end = end;
	__atomic_store_n(&h->state, FORMAT_SEALED, __ATOMIC_RELEASE);
}

uint64_t
profile_end_close(struct format_header *h)
{
	return __atomic_fetch_or(&h->used, FORMAT_CLOSED, __ATOMIC_ACQ_REL) &
	    ~(uint64_t)FORMAT_CLOSED;
}

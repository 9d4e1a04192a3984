/*
 * Context: T.  Begins the profiling of a process, for the start of the library
 * and for process_fork.c in fork children; see process_begin.h.
 */
#include "life/process_begin.h"

#include "base/state.h"
#include "classic/clock_demand.h"
#include "clock/cpu_timer.h"
#include "clock/wall_sampler.h"
#include "module/proc_info.h"
#include "count/live_control.h"
#include "life/thread.h"
#include "signal/exec_signals.h"
#include "signal/sigaction.h"
#include "signal/signal_move.h"
#include "store/store_create.h"
#include "thread/children.h"
#include "thread/thread_scan.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK	18	/* Linux 4.14 */
#endif

/*
 * Whole pages of the processor's largest page size, because the kernel wipes
 * whole pages at a fork.
 */
#ifdef __x86_64__
#define STATE_ALIGN	4096
#else
#define STATE_ALIGN	65536
#endif
#define STATE_BYTES \
	((sizeof(struct mon) + STATE_ALIGN - 1) & ~(size_t)(STATE_ALIGN - 1))

/*
 * The state is in the library's own zero pages: a mapping of its own would cost
 * each process its page tables, 25 us of the 500 of /bin/true (measured beside
 * a library that does only that).
 */
static union {
	struct mon mon;
	char pages[STATE_BYTES];
} state STATE_SECTION("3.wiped") __attribute__((aligned(STATE_ALIGN)));

void
process_begin_state(void)
{
	config.wiped = sys_madvise(&state, sizeof(state),
	    MADV_WIPEONFORK) == 0;
	mon = &state.mon;
}

/*
 * Claims the process, once: in a fork child a signal handler of the program can
 * have begun it already, by a hook.
 */
STATE_START static bool
claim_process(int pid)
{
	int none = 0;

	return __atomic_compare_exchange_n(&mon->pid, &none, pid, false,
	    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/*
 * Begins the calling thread and, if a call of the program starts the library
 * late, also the other threads; any thread can make that call.
 */
STATE_START static void
begin_threads(bool forked)
{
	bool late = config.linked && !forked;

	if (!late || sys_gettid() == mon->pid)
		thread_start_main(forked);
	else
		thread_attach();
	if (late)
		thread_scan_now();
}

STATE_START void
process_begin(bool forked, int pid)
{
	atomic_store(&mon->modules, &mon->table[0]);
	atomic_store(&mon->chunks, 1);
	mon->lives.birth_mono = sys_clock(CLOCK_MONOTONIC);
	mon->cpu_birth_ns = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	/* An exec leaves the time of threads that it ended to the process. */
	mon->lives.first_cpu = forked ? mon->cpu_birth_ns :
	    cpu_timer_thread_time(pid);
	/* A fork's child has not waited before, unlike an exec's. */
	atomic_store(&mon->lives.first_asked, forked);
	if (!forked) {
		mon->children_birth_ns = children_cpu();
		lineage.filtered = proc_info_is_filtered();
	}
	if (!claim_process(pid))
		return;
	mon->parent = (int)SYS(getppid, 0, 0, 0, 0, 0, 0);
	mon->forked = forked && lineage.image_pid != 0;
	if (!mon->forked)
		lineage.image_pid = mon->pid;
	sigaction_install();
	exec_signals_fork_child();
	atomic_store(&mon->running, true);
	if (!forked)
		live_control_init();
	atomic_store(&mon->clockless, !clock_demand_exists());
	begin_threads(forked);
	if (virtual_signals.tick.handler == (void *)SIG_IGN)
		/* the process has inherited it so */
		signal_move_if_used(atomic_load(&virtual_signals.signal));
	if (config.clock == FORMAT_CLOCK_WALL)
		wall_sampler_start();
	/* A tool can start the process only by its profile. */
	if (!forked && !config.start && !config.linked)
		store_create_if_due();
}

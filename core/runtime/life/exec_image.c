/*
 * Context: T.  Prepares the process for exec(2), and undoes that if exec fails,
 * in the calling thread: an exec's hook calls it, in a vfork child too.
 *
 * A tick that is pending at exec kills the new image, whose action is the
 * default one.  So the tick's signal is blocked, the clocks of this thread
 * stop, pending ticks are taken off the queue, and then the program's mask and
 * actions are put in force for the image to inherit.
 */
#include "life/exec_image.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "base/thread_clock.h"
#include "classic/format_writers.h"
#include "classic/monitor.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "count/record.h"
#include "life/clone_vm.h"
#include "life/precreate.h"
#include "module/proc_info.h"
#include "seal/seal_exec.h"
#include "signal/sigmask.h"
#include "store/ancestor.h"
#include "thread/thread_slot.h"

/* Stops the clocks of the calling thread and that of the process. */
static void
stop_clocks_for_exec(void)
{
	if (thread_slot_self != NULL &&
	    thread_slot_is_valid(thread_slot_self)) {
		cpu_timer_stop(thread_slot_self);
		perf_clock_stop(thread_slot_self, FORMAT_FINE_DONE);
		record_flush_pending(thread_slot_self);
	}
	cpu_timer_stop_process();
	sigmask_drain();
}

/* Seals the profile, or moves its losses; notes in *i which. */
static void
seal_for_exec(struct exec_image *i)
{
	/* The filter may kill for what opens a file. */
	if (proc_info_filter_came()) {
		i->losses_moved = seal_exec_confined();
		return;
	}
	i->shut = precreate_exec_will_fail();
	if (i->shut)
		loss_count(LOSS_IMAGE_FILE, 1);
	i->losses_moved = seal_exec_prepare();
}

/*
 * Writes the files of format=; then stops the clocks and seals the profile,
 * with the tick's signal blocked.
 */
static void
end_profile_for_exec(struct exec_image *i)
{
	sys_sigset t = SYS_SIGBIT(atomic_load(&virtual_signals.signal));

	format_writers_run();
	i->process_tier = mon->process_tier;
	sys_sigprocmask(SIG_BLOCK, &t, &i->mask);
	stop_clocks_for_exec();
	seal_for_exec(i);
	i->sealed = true;
	sys_sigprocmask(SIG_SETMASK, &i->mask, NULL);
}

/*
 * Seals the profile of a frozen process.  Where the kernel does not wipe the
 * state in a fork child, a raw fork cannot be told from its parent without a
 * system call, and the file may be the parent's.
 */
static bool
seal_frozen_for_exec(void)
{
	if (!config.wiped || !profiling_is_active())
		return false;
	seal_exec_confined();
	return true;
}

void
exec_image_prepare(struct exec_image *i)
{
	i->sealed = i->frozen = false;
	i->exposed.active = false;
	i->process_tier = i->sharer = i->histogram = false;
	i->shut = i->losses_moved = false;
	if (profiling_is_frozen()) {
		i->frozen = seal_frozen_for_exec();
		return;
	}
	i->histogram = monitor_before_exec();
	if (!virtual_signals.installed)
		return;
	if (profiling_is_active())
		end_profile_for_exec(i);
	else
		i->sharer = clone_vm_exec();
	exec_signals_apply(&i->exposed);
}

void
exec_image_undo(const struct exec_image *i)
{
	exec_signals_restore(&i->exposed);
	if (i->histogram)
		monitor_exec_failed();
	if (i->sharer)
		clone_vm_exec_failed();
	if (i->sealed || i->frozen)
		seal_exec_undo();
	if (!i->sealed)
		return;
	if (i->shut && i->losses_moved)
		ancestor_uncount_loss(LOSS_IMAGE_FILE);
	else if (i->shut)
		loss_count(LOSS_IMAGE_FILE, UINT64_MAX);
	if (thread_slot_self == NULL || !thread_slot_is_valid(thread_slot_self))
		return;
	thread_slot_self->fine_clock.state = FORMAT_FINE_NEVER;
	if (i->process_tier)
		thread_clock_restart_itimer();
	else
		thread_clock_start(thread_slot_self);
}

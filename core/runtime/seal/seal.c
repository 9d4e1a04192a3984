/*
 * Context: T.  Ends a profile, in the thread that ends the process, while
 * others may run: times, reason, length of the file; see seal.h.
 */
#include "seal/seal.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "base/store_header.h"
#include "classic/format_writers.h"
#include "classic/monitor.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "clock/sleep_sampler.h"
#include "clock/wall_sampler.h"
#include "count/record.h"
#include "module/proc_info.h"
#include "seal/end_note.h"
#include "seal/profile_end.h"
#include "seal/profile_file.h"
#include "seal/profile_need.h"
#include "store/ancestor.h"
#include "store/store.h"
#include "thread/private_fds.h"
#include "thread/thread_slot.h"
#include "thread/thread_slot_each.h"

/*
 * Keeps ticks of the slot's thread out.  Waits for a tick under way, unless the
 * caller has interrupted it.  After one wait in vain sets *patient to false,
 * and does not wait again.
 */
static bool
lock_slot_for_seal(struct thread_slot *s, bool *patient)
{
	if (atomic_exchange(&s->busy, 1) == 0)
		return true;
	if (s == thread_slot_self || !*patient)
		return false;
	*patient = thread_slot_lock(s);
	return *patient;
}

/*
 * Stops the clocks of a thread and counts what is pending in its slot, or
 * counts LOSS_TAIL if its ticks cannot be kept out.
 */
static void
stop_and_flush_slot(struct thread_slot *s, void *patient)
{
	cpu_timer_stop(s);
	if (s == thread_slot_self)
		perf_clock_stop(s, s->fine_clock.state);
	if (!lock_slot_for_seal(s, patient)) {
		if (s->pending.ns != 0 || s->pending.backlog != 0)
			loss_count(LOSS_TAIL, 1);
		return;
	}
	record_flush_pending(s);
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

/*
 * Removes, moves or truncates the file.  used: a uint64_t, the bytes in use.
 * Must run by private_fds_run().
 */
static int
finish_profile(void *used)
{
	const uint64_t *n = used;

	if (profile_need_is_none((const struct format_header *)mon->store.base))
		return profile_file_remove(NULL);
	return mon->store.local && profile_file_move_to_final(*n) ? 0 :
	    profile_file_resize(used);
}

/* Ends the samplers of sleeping threads.  They sample once more. */
STATE_START static void
end_samplers(void)
{
	if (thread_slot_self != NULL && thread_slot_is_valid(thread_slot_self))
		sleep_sampler_end(thread_slot_self);
	if (atomic_load(&mon->wall) != NULL)
		wall_sampler_stop();
}

/*
 * Ends the profile behind a seccomp filter, where no system call may be made;
 * ancestor_move_losses() makes none.
 */
static void
seal_frozen(void)
{
	if (store_header() == NULL)
		ancestor_move_losses();
}

/*
 * Moves the losses of a process that could create no file to an ancestor's, and
 * tells the user that there is no profile (msg=yes).
 */
static void
end_without_profile(void)
{
	ancestor_move_losses();
	if (config.message && mon->store.error != 0)
		end_note_no_profile();
}

/* Seals the profile with the header h, closes the store and cuts the file. */
static void
seal_profile(struct format_header *h, enum format_end end, int status)
{
	unsigned ready = STORE_READY;
	uint64_t used;

	profile_end_write(h, end, status);
	format_writers_run();
	used = profile_end_close(h);
	if (config.message && !profile_need_is_none(h))
		end_note_path(__atomic_load_n(&h->ticks, __ATOMIC_RELAXED));
	if (atomic_compare_exchange_strong(&mon->store.state, &ready,
	    STORE_CLOSED))
		private_fds_run(finish_profile, &used);
}

/* Stops the clocks, counts what is pending in all slots, ends the profile. */
static void
stop_and_seal(enum format_end end, int status)
{
	bool patient = true;

	thread_slot_for_each(stop_and_flush_slot, &patient);
	cpu_timer_stop_process();
	if (config.place == CONFIG_PLACE_MEMORY) {
		format_writers_run();
		return;
	}
	profile_need_create();
	if (store_header() != NULL)
		seal_profile(store_header(), end, status);
	else
		end_without_profile();
}

/*
 * Returns whether the calling thread may make no system call for the profile:
 * the process is frozen, or the program has set a filter without our hooks.
 */
STATE_START static bool
is_confined(void)
{
	return atomic_load(&mon->frozen) || proc_info_filter_came();
}

STATE_START void
seal_process(enum format_end end, int status)
{
	bool confined;

	if (!profiling_is_active() || atomic_exchange(&mon->ended, true))
		return;
	confined = is_confined();
	if (confined)
		atomic_store(&mon->frozen, true);
	if (!confined) {
		monitor_end();
		end_samplers();		/* counting is still on */
	}
	atomic_store(&mon->running, false);
	if (confined)
		seal_frozen();
	else if (store_header() != NULL || profile_need_exists())
		stop_and_seal(end, status);
	/* else the kernel ends the clocks with the process */
}

/*
 * Returns whether the calling thread is the last one.  A first thread that has
 * ended is listed until the process is reaped.
 */
static bool
is_last_of_process(void)
{
	unsigned n = proc_info_thread_count();

	if (n == 0)		/* there is no /proc */
		return atomic_load(&mon->live) <= 1;
	n -= atomic_load(&mon->wall_tid) != 0;
	return n == 1 || (n == 2 && sys_gettid() != mon->pid &&
	    proc_info_leader_ended());
}

void
seal_thread(int status)
{
	if (!profiling_is_active())
		return;
	if (is_confined())
		wall_sampler_thread_exit_confined(status);
	else if (is_last_of_process())
		seal_process(FORMAT_END__EXIT, status & 0xff);
	else
		wall_sampler_thread_exit(status);
}

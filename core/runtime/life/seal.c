/*
 * Context: T.  Ends a profile: times, reason, length of the file; see seal.h.
 */
#include "life/seal.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "base/stderr_note.h"
#include "base/store_header.h"
#include "base/str.h"
#include "classic/format_writers.h"
#include "classic/monitor.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "clock/sleep_sampler.h"
#include "clock/wall_sampler.h"
#include "count/record.h"
#include "heap_live/heap_timeline.h"
#include "module/library_copies.h"
#include "module/proc_info.h"
#include "store/ancestor.h"
#include "store/store.h"
#include "store/store_create.h"
#include "store/store_path.h"
#include "thread/children.h"
#include "thread/private_fds.h"
#include "thread/thread_record.h"
#include "thread/thread_slot.h"

#include <sys/time.h>

static uint64_t
timeval_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

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

static void
stop_and_flush_slot(struct thread_slot *s, void *patient)
{
	cpu_timer_stop(s);
	if (s == thread_slot_self)
		perf_clock_stop(s, s->fine);
	if (!lock_slot_for_seal(s, patient)) {
		if (s->held_ns != 0 || s->backlog != 0)
			loss_count(LOSS_TAIL, 1);
		return;
	}
	record_flush_pending(s);
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

/*
 * Closes the space of the file and returns the bytes in use.  From here on no
 * thread takes space, so the length of the file is final.
 */
static uint64_t
close_store_space(struct format_header *h)
{
	return __atomic_fetch_or(&h->used, FORMAT_CLOSED, __ATOMIC_ACQ_REL) &
	    ~(uint64_t)FORMAT_CLOSED;
}

static void
write_end_of_profile(struct format_header *h, enum format_end end, int status)
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
	h->end_ppid = (int)SYS(getppid, 0, 0, 0, 0, 0, 0);
	h->exit_status = status;
	h->end = end;
	__atomic_store_n(&h->state, FORMAT_SEALED, __ATOMIC_RELEASE);
}

/*
 * Opens the file of this process by its path.  Returns -ESTALE if the path
 * names another file now.
 */
static int
open_own_profile(void)
{
	struct stat st;
	int fd;

	fd = sys_open(mon->store.path, O_RDWR | O_NOFOLLOW | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	if (SYS(fstat, fd, &st, 0, 0, 0, 0) == 0 &&
	    st.st_dev == mon->store.device && st.st_ino == mon->store.inode)
		return fd;
	sys_close(fd);
	return -ESTALE;
}

/*
 * Sets the length of the file.  Must run by private_fds_run(): in the process's
 * own table, a file that another thread opens meanwhile would get another
 * number.
 */
static int
resize_profile(void *bytes)
{
	const uint64_t *n = bytes;
	int fd = open_own_profile(), ret;

	if (fd < 0)
		return fd;
	ret = (int)SYS(ftruncate, fd, *n, 0, 0, 0, 0);
	sys_close(fd);
	return ret;
}

/*
 * Returns the limit of file sizes, which may have been lowered: a file that
 * grows past it kills the process by SIGXFSZ.
 */
static uint64_t
file_size_limit(void)
{
	struct rlimit r;

	if (SYS(prlimit64, 0, RLIMIT_FSIZE, NULL, &r, 0, 0) != 0)
		return 0;
	return r.rlim_cur & ~(config.page - 1);
}

/*
 * Copies the profile to its final directory: whole, under another name, then
 * renamed.  Returns false if that fails; then the pointer file there still
 * tells where the profile is.
 */
static bool
move_to_final_path(uint64_t used)
{
	struct store *s = &mon->store;
	/*
	 * The first half of the scratch memory may be in use for
	 * header_fill_texts() of another thread.
	 */
	char *temporary = mon->birth_scratch + PATH_MAX;
	uint64_t done = 0;
	struct str t;
	int fd;

	if (used > file_size_limit())
		return false;
	str_init(&t, temporary, PATH_MAX);
	str_add(&t, s->final);
	str_add(&t, ".part");
	fd = sys_open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
	    0600);
	if (fd < 0)
		return false;
	while (done < used) {
		long n = sys_write(fd, s->base + done, used - done);

		if (n <= 0 && n != -EINTR)
			break;
		if (n > 0)
			done += (uint64_t)n;
	}
	if (sys_close(fd) == 0 && done == used &&
	    SYS(renameat, AT_FDCWD, temporary, AT_FDCWD, s->final, 0, 0) == 0) {
		SYS(unlinkat, AT_FDCWD, s->path, 0, 0, 0, 0);
		return true;
	}
	SYS(unlinkat, AT_FDCWD, temporary, 0, 0, 0, 0);
	return false;
}

STATE_START static bool
has_early_loss(void)
{
	unsigned i;

	for (i = 0; i < LOSS_COUNT; i++)
		if (atomic_load(&mon->early[i]) != 0)
			return true;
	return false;
}

STATE_START static bool
is_always_written(void)
{
	return config.empty || config.place == CONFIG_PLACE_FILE ||
	    has_early_loss();
}

/*
 * Returns whether the process writes a file although it counted nothing: the
 * first process of a run always writes mon.out.
 */
STATE_START static bool
is_written_empty(void)
{
	return is_always_written() || store_create_maybe_first();
}

/*
 * Returns whether the process needs a file.  One that used CPU time does: no
 * other process may know its time, or that of its short children.
 */
STATE_START static bool
may_need_profile(void)
{
	return is_written_empty() || store_create_used_cpu();
}

/*
 * Returns whether the file is not needed: nothing is in it, and it was made
 * because a tool stopped the process, or ahead of need.
 */
static bool
is_profile_unneeded(const struct format_header *h)
{
	unsigned i;

	for (i = 0; i < LOSS_COUNT; i++)
		if (h->loss[i] != 0)
			return false;
	if (h->threads != 0 || h->arcs != 0 || h->lanes != 0)
		return false;
	/* Children that could create no file count their losses in this one. */
	if (lineage.ancestor == h && h->children != 0)
		return false;
	return h->stopped_ns != 0 ? !is_written_empty() :
	    mon->made_ahead && !may_need_profile();
}

static int
remove_profile(void *unused)
{
	int fd = open_own_profile();

	(void)unused;
	if (fd < 0)
		return fd;
	sys_close(fd);
	store_path_undo();
	return 0;
}

static int
finish_profile(void *used)
{
	const uint64_t *n = used;

	if (is_profile_unneeded((const struct format_header *)mon->store.base))
		return remove_profile(NULL);
	return mon->store.local && move_to_final_path(*n) ? 0 :
	    resize_profile(used);
}

static void
make_needed_profile(void)
{
	mon->store.retry_mono = 0;
	if (store_header() != NULL)
		return;
	if (is_always_written())
		store_create_if_due();
	else
		store_create_before_exit();
}

static const char *
text_of_errno(int error)
{
	switch (error) {
	case ENOENT: return "no such directory";
	case ENOTDIR: return "not a directory";
	case EACCES: case EPERM: return "not permitted";
	case EROFS: return "a read-only file system";
	case ENOSPC: case EDQUOT: return "no space left";
	case EFBIG: return "past the limit of file sizes";
	case ENAMETOOLONG: return "the name is too long";
	default: return NULL;
	}
}

static void
note_no_profile(void)
{
	const char *words = text_of_errno(mon->store.error);
	char number[24];
	struct str s;

	str_init(&s, number, sizeof number);
	str_add(&s, "errno ");
	str_add_number(&s, (uint64_t)mon->store.error);
	stderr_note(config.directory, "/", config.place == CONFIG_PLACE_FILE ?
	    config.pattern : "", ": no profile could be written: ",
	    words != NULL ? words : number, NULL);
}

static void
note_profile_path(uint64_t ticks)
{
	char number[24];
	struct str s;

	str_init(&s, number, sizeof number);
	str_add_number(&s, ticks);
	stderr_note(mon->store.local ? mon->store.final : mon->store.path, ": ",
	    number, ticks == 1 ? " tick" : " ticks", config.yields ?
	    "; the name before it is of the program's own monitor()" : "",
	    NULL);
}

STATE_START void
seal_process(enum format_end end, int status)
{
	struct store *s;
	struct format_header *h;
	unsigned ready = STORE_READY;
	uint64_t used;
	bool patient = true;

	if (!profiling_is_active())
		return;
	s = &mon->store;
	if (atomic_exchange(&mon->ended, true))
		return;
	monitor_end();
	if (!atomic_load(&mon->frozen)) {
		if (thread_slot_self != NULL &&
		    thread_slot_is_valid(thread_slot_self))
			sleep_sampler_end(thread_slot_self);
		/* it samples once more: counting is still on */
		wall_sampler_stop();
	}
	atomic_store(&mon->running, false);
	if (atomic_load(&mon->frozen)) {
		/*
		 * Makes no more system calls; ancestor_move_losses() makes
		 * none.
		 */
		if (store_header() == NULL)
			ancestor_move_losses();
		return;
	}
	if (store_header() == NULL && !may_need_profile())
		/* the kernel ends the clocks with the process */
		return;
	thread_slot_for_each(stop_and_flush_slot, &patient);
	cpu_timer_stop_process();
	if (config.place == CONFIG_PLACE_MEMORY) {
		format_writers_run();
		return;
	}
	make_needed_profile();
	h = store_header();
	if (h == NULL) {
		ancestor_move_losses();
		if (config.message && s->error != 0)
			note_no_profile();
		return;
	}
	write_end_of_profile(h, end, status);
	format_writers_run();
	used = close_store_space(h);
	if (config.message && !is_profile_unneeded(h))
		note_profile_path(__atomic_load_n(&h->ticks, __ATOMIC_RELAXED));
	if (!atomic_compare_exchange_strong(&s->state, &ready, STORE_CLOSED))
		return;
	private_fds_run(finish_profile, &used);
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
	if (!profiling_is_active() || atomic_load(&mon->frozen))
		return;
	if (is_last_of_process())
		seal_process(FORMAT_END__EXIT, status & 0xff);
	else
		wall_sampler_thread_exit(status);
}

/*
 * Returns whether this thread alone writes to the file, so that it can be
 * truncated.
 */
static bool
is_only_writer(void)
{
	return atomic_load(&mon->live) <= 1 && !mon->store.local;
}

bool
seal_for_exec(void)
{
	struct format_header *h;
	bool told = false;
	uint64_t used;

	if (store_create_used_cpu())
		store_create_before_exit();
	h = store_header();
	if (h == NULL)
		told = ancestor_move_losses();
	if (h == NULL || config.place == CONFIG_PLACE_MEMORY)
		return told;
	write_end_of_profile(h, FORMAT_END_EXEC, -1);
	if (!is_only_writer())
		return false;
	if (is_profile_unneeded(h)) {
		mon->store.removed = private_fds_run(remove_profile, NULL) == 0;
		return false;
	}
	used = close_store_space(h);
	private_fds_run(resize_profile, &used);
	return false;
}

/* Extends the file again, which was truncated to `used`. */
static void
reopen_profile(struct format_header *h)
{
	uint64_t used = h->used & ~(uint64_t)FORMAT_CLOSED;
	uint64_t limit = file_size_limit(), cap;

	if (limit < h->cap && used <= limit)
		h->cap = limit;
	cap = h->cap;
	/*
	 * Without room the file stays truncated and closed: losses are counted.
	 */
	if (cap > limit || private_fds_run(resize_profile, &cap) != 0)
		return;
	__atomic_store_n(&h->ready, (used + config.page - 1) &
	    ~(config.page - 1), __ATOMIC_RELEASE);
	__atomic_store_n(&h->used, used, __ATOMIC_RELEASE);
}

void
seal_undo_exec(void)
{
	struct format_header *h = store_header();

	if (h == NULL || config.place == CONFIG_PLACE_MEMORY)
		return;
	if (mon->store.removed) {
		store_discard();
		return;
	}
	if ((h->used & FORMAT_CLOSED) != 0)
		reopen_profile(h);
	h->end = FORMAT_END_NONE;
	h->end_mono = h->end_real = 0;
	__atomic_store_n(&h->state, FORMAT_LIVE, __ATOMIC_RELEASE);
}

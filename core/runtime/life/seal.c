/* Context: T.  The end of a profile: nothing rests on it but tidiness. */
#include "life/seal.h"

#include "base/stderr_note.h"
#include "base/str.h"
#include "classic/format_writers.h"
#include "classic/monitor.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "clock/sleep_sampler.h"
#include "clock/wall_sampler.h"
#include "count/record.h"
#include "heap_live/heap_timeline.h"
#include "life/start.h"
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

/* No thread takes space from here on: the file is as long as it says. */
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
	store_move_early_losses(h);
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

/* Only the file that is ours: the name may have been given to another. */
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

/* Aside: another thread could be given a number one higher meanwhile. */
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

/* Past it a file that grows kills with SIGXFSZ; it may be lower than it was. */
static uint64_t
file_size_limit(void)
{
	struct rlimit r;

	if (SYS(prlimit64, 0, RLIMIT_FSIZE, NULL, &r, 0, 0) != 0)
		return 0;
	return r.rlim_cur & ~(config.page - 1);
}

/*
 * To where it belongs: whole, under a name of its own, then renamed.  False:
 * the pointer there goes on to say where it is.
 */
static bool
move_to_final_path(uint64_t used)
{
	struct store *s = &mon->store;
	/* Its head may be in use, for header_fill_texts() of another thread. */
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

/* The first of a run always writes mon.out; others if they counted. */
STATE_START static bool
is_written_empty(void)
{
	return is_always_written() || store_create_maybe_first();
}

/* Nobody else may know its CPU time, or that of its short children. */
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
	/* Children that could make no file tell in it what they lose. */
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
		store_open_if_due();
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

	if (!start_active())
		return;
	s = &mon->store;
	if (atomic_exchange(&mon->ended, true))
		return;
	monitor_end();
	if (!atomic_load(&mon->frozen)) {
		if (thread_slot_self != NULL &&
		    thread_slot_is_valid(thread_slot_self))
			sleep_sampler_end(thread_slot_self);
		wall_sampler_stop();	/* it looks once more: we still count */
	}
	atomic_store(&mon->running, false);
	if (atomic_load(&mon->frozen)) {
		/* Not one more system call, and this takes none. */
		if (store_header() == NULL)
			ancestor_move_losses();
		return;
	}
	if (store_header() == NULL && !may_need_profile())
		return;		/* the kernel ends the clocks with us */
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

/* A first thread that has ended is listed until the process is reaped. */
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
	if (!start_active() || atomic_load(&mon->frozen))
		return;
	if (is_last_of_process())
		seal_process(FORMAT_END__EXIT, status & 0xff);
	else
		wall_sampler_thread_exit(status);
}

/* Only this thread stores into the file now: it can be cut. */
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

/* The file was cut: its space beyond `used` is not real any more. */
static void
reopen_profile(struct format_header *h)
{
	uint64_t used = h->used & ~(uint64_t)FORMAT_CLOSED;
	uint64_t limit = file_size_limit(), cap;

	if (limit < h->cap && used <= limit)
		h->cap = limit;
	cap = h->cap;
	/* Without room the file stays cut and closed: losses are counted. */
	if (cap > limit || private_fds_run(resize_profile, &cap) != 0)
		return;
	__atomic_store_n(&h->ready, (used + config.page - 1) &
	    ~(config.page - 1), __ATOMIC_RELEASE);
	__atomic_store_n(&h->used, used, __ATOMIC_RELEASE);
}

/* exec failed: the file goes on. */
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

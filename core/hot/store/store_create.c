/*
 * Context: S.  Makes the profile file and the store, for all that counts, the
 * start and the seal; see store_create.h.  The thread that has set the state
 * STORE_BUSY owns mon->store and birth_scratch.
 *
 * The file gets its name when its header is complete (file_create.h), so it is
 * valid from the moment that it is there.
 */
#include "store/store_create.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"
#include "base/store_header.h"
#include "base/str.h"
#include "base/vfork_child.h"
#include "count/cct.h"
#include "count/live_control.h"
#include "module/library_copies.h"
#include "module/modules.h"
#include "module/proc_info.h"
#include "store/ancestor.h"
#include "store/header_fill.h"
#include "store/run.h"
#include "store/start_defaults.h"
#include "store/store.h"
#include "store/store_path.h"
#include "thread/children.h"
#include "thread/private_fds.h"
#include "thread/signal_chain.h"

#define WAIT_MOST	1000u	/* ms */

#define ATTEMPTS	5
#define CAP_LEAST	(2 * FORMAT_HEADER)

/*
 * A process that used this many intervals of CPU time and was met by no tick
 * has a file although its parent counts its time: without one no report names
 * it.  On a crowded virtual machine processes of 15 ticks were met by none
 * (doc/design/store.md).
 */
#define UNMET_INTERVALS	5

/*
 * Returns the largest size of the file, bytes.  RLIMIT_FSIZE is respected
 * beforehand, because the kernel kills with SIGXFSZ at it.  RLIMIT_AS is shared
 * with the program.
 */
static uint64_t
choose_cap(void)
{
	uint64_t cap = config.size;
	struct rlimit r;

	if (config.place != CONFIG_PLACE_MEMORY &&
	    SYS(prlimit64, 0, RLIMIT_FSIZE, NULL, &r, 0, 0) == 0 &&
	    r.rlim_cur < cap)
		cap = r.rlim_cur;
	if (SYS(prlimit64, 0, RLIMIT_AS, NULL, &r, 0, 0) == 0 &&
	    r.rlim_cur / STORE_AS_PART < cap)
		cap = r.rlim_cur / STORE_AS_PART;
	return cap & ~(config.page - 1);
}

/*
 * Maps a store of `cap` bytes.  fd: the file's descriptor, or -1 for private
 * memory.
 */
static void *
map_sparse_store(int fd, uint64_t cap)
{
	return mmap_area_map_sparse(FORMAT_HEADER, cap, PROT_READ | PROT_WRITE,
	    fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	    fd);
}

/* Maps the open file as the store.  Returns 0 or -errno. */
static int
map_store(int fd, uint64_t cap)
{
	struct store *s = &mon->store;
	struct stat st;
	long ret;

	ret = SYS(ftruncate, fd, cap, 0, 0, 0, 0);
	if (ret == 0)
		ret = SYS(fstat, fd, &st, 0, 0, 0, 0);
	if (ret != 0)
		return (int)ret;
	s->base = map_sparse_store(fd, cap);
	if (s->base == NULL)
		return -ENOMEM;
	sys_madvise(s->base, cap, MADV_DONTFORK);
	/*
	 * Without this, the kernel reads ahead in the hole, up to 8 MiB of it:
	 * 1.4 ms instead of 0.07 ms.
	 */
	sys_madvise(s->base, cap, MADV_RANDOM);
	s->cap = cap;
	s->device = st.st_dev;
	s->inode = st.st_ino;
	return 0;
}

/*
 * The processes that make a file: any; only the first of a run, before it
 * leaves its directory or at its end; or a process at its end whose parent is
 * not profiled, so that no one else counts the CPU time of it and of its
 * children.  NONE: the process makes none.
 */
enum store_create_reason {
	NONE, ANY, LEAVING_FIRST, ENDING_FIRST, ENDING_OWED
};

/*
 * Returns whether a profiled parent counts what this file would be made for: it
 * knows the CPU time of this process, and of this process's children.
 */
static bool
is_counted_by_parent(enum store_create_reason reason)
{
	return (reason == ENDING_OWED ||
	    (reason == ENDING_FIRST && lineage.pid == 0)) &&
	    mon->parent > 1 && proc_info_has_libmon(mon->parent,
	    mon->birth_scratch, sizeof(mon->birth_scratch));
}

/*
 * Makes and maps the file, for private_fds_run().  Returns 0, -ECANCELED if
 * this process does not make one, or another -errno.
 */
static int
make_store_file(void *arg)
{
	struct format_header *h = (void *)mon->birth_scratch;
	const enum store_create_reason reason =
	    *(const enum store_create_reason *)arg;
	uint64_t cap = choose_cap();
	int fd, ppid, ret;

	if (cap < CAP_LEAST)
		return -EFBIG;
	if (is_counted_by_parent(reason))
		return -ECANCELED;
	ret = proc_info_stat(0, &ppid, &mon->start_ticks);
	if (ret == -EMFILE)
		return ret;	/* before the name of the run is looked up */
	if (ret != 0)
		mon->start_ticks = 0;
	run_find(mon->birth_scratch, sizeof(mon->birth_scratch));
	ret = store_path_join_run();
	if (ret != 0)
		return ret;
	if ((reason == LEAVING_FIRST && !run_is_first()) ||
	    (reason == ENDING_FIRST && !run_owns_plain_name()))
		return -ECANCELED;
	mem_zero(h, FORMAT_HEADER);
	header_fill_fixed(h, cap);
	fd = store_path_create(h);
	if (fd < 0 && fd != -EMFILE && lineage_directory[0] != '\0') {
		lineage_directory[0] = '\0';	/* then in its own directory */
		fd = store_path_create(h);
	}
	if (fd < 0)
		return fd;
	ret = map_store(fd, cap);
	sys_close(fd);
	if (ret != 0)
		store_path_undo();
	return ret;
}

/*
 * Makes a store in private memory: there is no file, because the program itself
 * asks for the counts.  The writers of classic files read them there.
 */
static int
make_store_memory(void *unused)
{
	struct format_header *h = (void *)mon->birth_scratch;
	struct store *s = &mon->store;
	uint64_t cap = choose_cap();

	(void)unused;
	if (cap < CAP_LEAST)
		return -ENOMEM;
	s->base = map_sparse_store(-1, cap);
	if (s->base == NULL)
		return -ENOMEM;
	sys_madvise(s->base, cap, MADV_DONTFORK);
	s->cap = cap;
	mem_zero(h, FORMAT_HEADER);
	header_fill_fixed(h, cap);
	mem_copy(s->base, h, FORMAT_HEADER);
	return 0;
}

/*
 * Notes that the file could not be made, and when to try again.  error: -errno.
 */
static void
note_create_failure(int error)
{
	struct store *s = &mon->store;

	ancestor_count_no_file();
	s->error = -error;
	s->retry_mono = sys_clock(CLOCK_MONOTONIC) + STORE_RETRY_NS;
	atomic_store(&s->barren, true);
	atomic_store(&s->state, ++s->attempts < ATTEMPTS ? STORE_NONE :
	    STORE_CLOSED);
}

static void
apply_start_defaults(struct format_header *h)
{
	struct format_defaults o;

	if (start_defaults_read(&o))
		live_control_apply(h, &o);
}

/*
 * Makes the file if there is none and an attempt is due, for this reason.
 * Returns whether this call made it.
 */
static bool
try_create_store(enum store_create_reason reason)
{
	struct store *s = &mon->store;
	unsigned none = STORE_NONE;
	int ret;

	/*
	 * A vfork child has signal actions of its own: its handler of SIGBUS
	 * would be missing in this process, which shares the rest.
	 */
	if (atomic_load(&mon->frozen) || vfork_child_is_possible())
		return false;
	if (s->attempts > 0 && sys_clock(CLOCK_MONOTONIC) < s->retry_mono) {
		atomic_store(&s->barren, true);
		return false;
	}
	if (!atomic_compare_exchange_strong(&s->state, &none, STORE_BUSY))
		return false;
	ret = private_fds_run(config.place == CONFIG_PLACE_MEMORY ?
	    make_store_memory : make_store_file, &reason);
	if (ret == -ECANCELED) {
		atomic_store(&s->state, STORE_NONE);
		return false;
	}
	if (ret != 0) {
		note_create_failure(ret);
		return false;
	}
	if (config.place != CONFIG_PLACE_MEMORY)
		signal_chain_guard_bus();
	cct_reset();
	modules_reset();
	atomic_store(&mon->pool, 0);
	atomic_store(&mon->memory, 0);
	atomic_store(&mon->maps, 0);
	atomic_store(&mon->threads, 0);
	atomic_store(&mon->asked, 0);
	mon->forgot = 0;
	atomic_store(&mon->forgot_by, 0);
	atomic_store(&mon->forgotten, 0);
	atomic_store(&mon->forgot_era, 0);
	atomic_store(&s->refused, 0);
	atomic_store(&s->barren, false);
	atomic_fetch_add(&s->generation, 1);
	apply_start_defaults((struct format_header *)s->base);
	/* This comes before loss_count_move_early(): see loss_count(). */
	atomic_store(&s->state, STORE_READY);
	if (config.place != CONFIG_PLACE_MEMORY)
		private_fds_run(header_fill_texts, s->base);
	loss_count_move_early((struct format_header *)s->base);
	ancestor_uncount_no_file();
	library_copies_write((struct format_header *)s->base);
	live_control_publish_kick();	/* it may have changed meanwhile */
	return true;
}

bool
store_create_try(void)
{
	return try_create_store(ANY);
}

STATE_START bool
store_create_maybe_first(void)
{
	return config.place == CONFIG_PLACE_PLAIN && !mon->forked &&
	    (lineage.pid == 0 || run_is_first());
}

void
store_create_before_chdir(void)
{
	if (config.place == CONFIG_PLACE_PLAIN &&
	    (lineage.pid == 0 || run_is_first()))
		try_create_store(LEAVING_FIRST);
}

/*
 * Returns the CPU time that this process used since it began, ns; 0 if its time
 * is not counted now.
 */
STATE_START static uint64_t
used_cpu_ns(void)
{
	return lineage_is_paused(LINEAGE_UNTIMED) ||
	    atomic_load(&mon->clockless) ? 0 :
	    sys_clock(CLOCK_PROCESS_CPUTIME_ID) - mon->cpu_birth_ns;
}

/* Returns whether a process with so much CPU time, ns, is worth a file. */
STATE_START static bool
is_worth_file(uint64_t ns)
{
	uint64_t interval = atomic_load(&lineage.interval);

	if (interval < config.tick_ns)
		interval = config.tick_ns;
	return ns / UNMET_INTERVALS >= interval;
}

/*
 * Returns for what reason a process that has counted nothing makes a file at
 * its end.  A file takes 0.6 ms, so less than one tick of CPU time is not worth
 * one.  A process that used more and was met by no tick sleeps at the
 * scheduler's ticks, or had its processor between them alone.
 */
STATE_START static enum store_create_reason
end_reason(void)
{
	uint64_t ns;

	if ((config.place != CONFIG_PLACE_DIR &&
	    config.place != CONFIG_PLACE_PLAIN) || atomic_load(&mon->frozen))
		return NONE;
	ns = used_cpu_ns();
	if (is_worth_file(ns))
		return ANY;
	if (config.place != CONFIG_PLACE_DIR || mon->forked)
		return NONE;
	if (ns < config.tick_ns && atomic_load(&mon->children) != 0)
		ns += children_cpu() - mon->children_birth_ns;
	return ns >= config.tick_ns ? ENDING_OWED : NONE;
}

STATE_START bool
store_create_used_cpu(void)
{
	return end_reason() != NONE;
}

void
store_create_before_exit(void)
{
	enum store_create_reason reason = end_reason();

	if (reason != ANY && store_create_maybe_first())
		reason = ENDING_FIRST;
	if (reason != NONE)
		try_create_store(reason);
}

bool
store_create_if_due(void)
{
	switch (atomic_load_explicit(&mon->store.state, memory_order_acquire)) {
	case STORE_READY:
		return true;
	case STORE_NONE:
		return store_create_try();
	default:
		return false;
	}
}

bool
store_create_wait(void)
{
	const struct timespec ms = {0, 1000000};

	for (unsigned i = 0; !store_create_if_due() &&
	    atomic_load(&mon->store.state) == STORE_BUSY &&
	    !atomic_load(&mon->frozen) && i < WAIT_MOST; i++)
		SYS(nanosleep, &ms, NULL, 0, 0, 0, 0);
	return store_header() != NULL;
}

/*
 * Context: S.  How the profile file comes into the world.
 *
 * It gets its name when its header is in (create.h), so that it is valid from
 * the moment that it is there.
 */
#include "birth.h"

#include "ancestor.h"
#include "aside.h"
#include "children.h"
#include "control.h"
#include "copies.h"
#include "facts.h"
#include "modules.h"
#include "orders.h"
#include "place.h"
#include "process.h"
#include "region.h"
#include "run.h"
#include "store.h"
#include "str.h"
#include "tree.h"
#include "view.h"

#define ATTEMPTS	5
#define CAP_LEAST	(2 * FORMAT_HEADER)

/* RLIMIT_FSIZE kills with SIGXFSZ: asked first.  RLIMIT_AS is shared. */
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
	    r.rlim_cur / 16 < cap)
		cap = r.rlim_cur / 16;
	return cap & ~(config.page - 1);
}

/* fd: the file's descriptor, or -1 for private memory. */
static void *
map_sparse(int fd, uint64_t cap)
{
	return region_map_sparse(FORMAT_HEADER, cap, PROT_READ | PROT_WRITE,
	    fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	    fd);
}

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
	s->base = map_sparse(fd, cap);
	if (s->base == NULL)
		return -ENOMEM;
	sys_madvise(s->base, cap, MADV_DONTFORK);
	/* Read ahead of a hole, up to 8 MiB of it: 1.4 ms against 0.07. */
	sys_madvise(s->base, cap, MADV_RANDOM);
	s->cap = cap;
	s->device = st.st_dev;
	s->inode = st.st_ino;
	return 0;
}

/*
 * Which processes make a file: any; only the first of a run; or one whose
 * parent does not know the CPU time of the process's children.
 */
enum birth_whose { ANY, LEAVING_FIRST, ENDING_FIRST, ENDING_OWED };

/*
 * At its end, a process needs the run only if it is the run's first.  A parent
 * that is profiled knows the CPU time of this process's children, too.
 */
static bool
is_seen_to_follow(enum birth_whose whose)
{
	return (whose == ENDING_OWED ||
	    (whose == ENDING_FIRST && lineage.pid == 0)) &&
	    mon->parent > 1 && process_has_libmon(mon->parent,
	    mon->birth_scratch, sizeof mon->birth_scratch);
}

static int
make_file(void *arg)
{
	struct format_header *h = (void *)mon->birth_scratch;
	enum birth_whose whose = *(const enum birth_whose *)arg;
	uint64_t cap = choose_cap();
	int fd, ppid, ret;

	if (cap < CAP_LEAST)
		return -EFBIG;
	if (is_seen_to_follow(whose))
		return -ECANCELED;
	ret = process_stat(0, &ppid, &mon->start_ticks);
	if (ret == -EMFILE)
		return ret;	/* before the name of the run is looked for */
	if (ret != 0)
		mon->start_ticks = 0;
	run_find(mon->birth_scratch, sizeof mon->birth_scratch);
	ret = place_join_run();
	if (ret != 0)
		return ret;
	if ((whose == LEAVING_FIRST && !run_is_first()) ||
	    (whose == ENDING_FIRST && !run_has_name()))
		return -ECANCELED;
	mem_zero(h, FORMAT_HEADER);
	facts_fill(h, cap);
	fd = place_file(h);
	if (fd < 0 && fd != -EMFILE && lineage_directory[0] != '\0') {
		lineage_directory[0] = '\0';	/* then where it is itself */
		fd = place_file(h);
	}
	if (fd < 0)
		return fd;
	ret = map_store(fd, cap);
	sys_close(fd);
	if (ret != 0)
		place_undo();
	return ret;
}

/* No file: the program counts for itself, and monitor(3C) reads this. */
static int
make_memory(void)
{
	struct format_header *h = (void *)mon->birth_scratch;
	struct store *s = &mon->store;
	uint64_t cap = choose_cap();

	if (cap < CAP_LEAST)
		return -ENOMEM;
	s->base = map_sparse(-1, cap);
	if (s->base == NULL)
		return -ENOMEM;
	sys_madvise(s->base, cap, MADV_DONTFORK);
	s->cap = cap;
	mem_zero(h, FORMAT_HEADER);
	facts_fill(h, cap);
	mem_copy(s->base, h, FORMAT_HEADER);
	return 0;
}

static void
refused(int error)
{
	struct store *s = &mon->store;

	ancestor_tell_none();
	s->error = -error;
	s->retry_mono = sys_clock(CLOCK_MONOTONIC) + STORE_RETRY_NS;
	atomic_store(&s->barren, true);
	atomic_store(&s->state, ++s->attempts < ATTEMPTS ? STORE_NONE :
	    STORE_CLOSED);
}

static void
begin_as_ordered(struct format_header *h)
{
	struct format_orders o;

	if (orders_read(&o))
		control_obey(h, &o);
}

static bool
attempt(enum birth_whose whose)
{
	struct store *s = &mon->store;
	unsigned none = STORE_NONE;
	int ret;

	if (atomic_load(&mon->frozen))
		return false;
	if (s->attempts > 0 && sys_clock(CLOCK_MONOTONIC) < s->retry_mono) {
		atomic_store(&s->barren, true);
		return false;
	}
	if (!atomic_compare_exchange_strong(&s->state, &none, STORE_BUSY))
		return false;
	ret = config.place == CONFIG_PLACE_MEMORY ? make_memory() :
	    aside(make_file, &whose);
	if (ret == -ECANCELED) {
		atomic_store(&s->state, STORE_NONE);
		return false;
	}
	if (ret != 0) {
		refused(ret);
		return false;
	}
	if (config.place != CONFIG_PLACE_MEMORY)
		view_guard_bus();
	tree_forget();
	modules_forget();
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
	begin_as_ordered((struct format_header *)s->base);
	/* Before store_move_early(): see loss_count(). */
	atomic_store(&s->state, STORE_READY);
	if (config.place != CONFIG_PLACE_MEMORY)
		aside(facts_texts, s->base);
	store_move_early((struct format_header *)s->base);
	ancestor_tell_file();
	copies_tell((struct format_header *)s->base);
	control_show_kick();	/* it may have changed meanwhile */
	return true;
}

bool
birth_attempt(void)
{
	return attempt(ANY);
}

STATE_START bool
birth_may_be_first(void)
{
	return config.place == CONFIG_PLACE_PLAIN && !mon->forked &&
	    (lineage.pid == 0 || run_is_first());
}

void
birth_before_leaving(void)
{
	if (config.place == CONFIG_PLACE_PLAIN &&
	    (lineage.pid == 0 || run_is_first()))
		attempt(LEAVING_FIRST);
}

/*
 * A file takes 0.6 ms, so less than one tick of CPU time is not worth one.  A
 * process that used more and was never seen sleeps at the scheduler's ticks.
 */
STATE_START bool
birth_may_be_owed(void)
{
	uint64_t ns;

	if (config.place != CONFIG_PLACE_DIR || mon->forked ||
	    atomic_load(&mon->frozen))
		return false;
	ns = lineage_is(LINEAGE_UNTIMED) ? 0 :
	    sys_clock(CLOCK_PROCESS_CPUTIME_ID) - mon->cpu_birth_ns;
	if (ns < config.tick_ns && atomic_load(&mon->children) != 0)
		ns += children_cpu() - mon->children_birth_ns;
	return ns >= config.tick_ns;
}

void
birth_before_end(void)
{
	if (birth_may_be_first())
		attempt(ENDING_FIRST);
	else if (birth_may_be_owed())
		attempt(ENDING_OWED);
}

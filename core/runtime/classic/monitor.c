/*
 * Context: T.  Implements monitor(3C) for its hooks: blocks of cells, a
 * histogram, mon.out, which the seal and an exec write, too;
 * doc/design/monitor.md.
 *
 * One thread at a time is in this code, with all signals blocked but those that
 * an instruction raises, so that no handler of another signal finds its own
 * thread in it or jumps out of it.
 */
#include "classic/monitor.h"

#include "base/mmap_area.h"
#include "base/profiling.h"
#include "base/state.h"
#include "base/str.h"
#include "base/temp_stack.h"
#include "classic/bins.h"
#include "classic/monitor_calls.h"
#include "classic/monout.h"
#include "classic/monout_cells.h"
#include "classic/profil.h"
#include "classic/yield_monout.h"
#include "module/proc_info.h"
#include "options/profdir.h"
#include "store/profile_name.h"

#include <sys/auxv.h>

/*
 * Monitor is running.  Each process reads this at its end, so it must not need
 * a page of its own.
 */
static bool begun;

/*
 * The process has a seccomp filter; used in a process that is not profiled.  In
 * one that is, virtual_signals.boxed tells.
 */
static bool behind_filter;

/* The process that took the filter, if vfork children ran in this memory. */
static int filter_owner;

/*
 * Monitor began under a filter in a process that is not profiled, which does
 * not know whether its image began under it.
 */
static bool begun_filtered;

static struct {
	_Atomic int tid;	/* thread that is in this code; 0: none */
	sys_sigset mask;	/* that thread's mask before */
	struct monout_file file;
	unsigned scale;		/* of the histogram */
	size_t bins;		/* words of the histogram that the range uses */
	struct monitor_callbacks calls;
	char directory[PATH_MAX];	/* PROFDIR when monitor began, or "" */
	char path[PATH_MAX];
} m STATE_SECTION("2.cold");

/*
 * Enters this code.  Signals that an instruction raises are not blocked: if the
 * program's buffer is not valid, its handler may say so.
 */
static void
lock_monitor(void)
{
	const sys_sigset shut = ~(SYS_SIGBIT(SIGBUS) | SYS_SIGBIT(SIGSEGV) |
	    SYS_SIGBIT(SIGILL) | SYS_SIGBIT(SIGFPE) | SYS_SIGBIT(SIGTRAP));
	int tid = sys_gettid(), other = 0;
	sys_sigset before;

	sys_sigprocmask(SIG_BLOCK, &shut, &before);
	while (!atomic_compare_exchange_strong(&m.tid, &other, tid)) {
		/*
		 * The thread is not in this process: it was in this code when
		 * another thread forked.
		 */
		if (other == tid ||
		    sys_tgkill(sys_getpid(), other, 0) == -ESRCH)
			continue;
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		other = 0;
	}
	m.mask = before;
}

static void
unlock_monitor(void)
{
	sys_sigset before = m.mask;

	atomic_store(&m.tid, 0);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
make_monitor_path(void)
{
	struct str s;

	str_init(&s, m.path, sizeof(m.path));
	if (m.directory[0] != '\0') {
		str_add(&s, m.directory);
		str_add(&s, "/");
		profile_name_add_process(&s);
	} else {
		str_add(&s, MON_OUT);
	}
}

/* Fills in the cells and writes the file.  Returns 0 or -errno. */
static int
write_monitor_file(void)
{
	int ret, filled = monitor_calls_fill(&m.file);

	make_monitor_path();
	ret = monout_file_write(&m.file, m.path);
	return ret != 0 ? ret : filled;
}

/*
 * Stops the histogram.  libc's profil() stops its timer, then restores the
 * program's action, mostly the default.  A SIGPROF of that timer that was still
 * blocked would then kill the process, so this function lets it in, if the
 * thread's own mask does: only libc's handler can run then.  Our own profil()
 * uses no SIGPROF, and the program's handler must not find its thread in here.
 */
static void
stop_histogram(void)
{
	const sys_sigset ticks = profil_is_ours() ? 0 :
	    SYS_SIGBIT(SIGPROF) & ~m.mask;
	sys_sigset before;

	sys_sigprocmask(SIG_UNBLOCK, &ticks, &before);
	m.calls.profil(NULL, 0, 0, 0);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
switch_histogram(bool on)
{
	if (on)
		m.calls.profil(m.file.bars, m.bins * sizeof(*m.file.bars),
		    (size_t)(uintptr_t)m.file.head.lpc, m.scale);
	else
		stop_histogram();
}

/*
 * Adds the program's buffer, in the block b, which the file owns from now on;
 * its rest becomes the histogram.
 */
static void
register_buffer(struct monout_file_block *b, WORD *buffer, size_t words,
    size_t cells)
{
	const struct hdr *h = &m.file.head;
	size_t head = (sizeof(*h) + cells * sizeof(struct cnt)) / sizeof(WORD);
	size_t text = ((size_t)(h->hpc - h->lpc) + 1) / sizeof(WORD);
	const bool again = monout_cells_drop_buffer(&m.file, buffer, words);

	/* A histogram that is restarted begins with zeros. */
	if (again)
		switch_histogram(false);
	b->bytes = sizeof(*b);
	mem_copy(buffer, h, sizeof(*h));
	b->cell = (struct cnt *)((char *)buffer + sizeof(*h));
	b->cells = cells;
	monout_cells_append(&m.file, b);
	m.file.bars = buffer + head;
	m.file.words = words - head;
	if (again)
		mem_zero(m.file.bars, m.file.words * sizeof(*m.file.bars));
	m.scale = monout_scale(m.file.words, text);
	/*
	 * Code behind the range must not count: it may belong to another
	 * library.  The buffer may be longer than the range needs, and so may
	 * the code that profil() counts, because the scale is rounded down.
	 */
	m.bins = bins_slot(&(struct bins){0, m.scale, m.file.words,
	    sizeof(WORD)}, (size_t)(h->hpc - h->lpc) - 1) + 1;
}

static bool
is_sane_buffer(const char *low, const char *high, size_t words, size_t cells)
{
	return cells <= words && low < high && (sizeof(struct hdr) +
	    cells * sizeof(struct cnt)) / sizeof(WORD) < words;
}

static void
begin_monitor_run(void)
{
	begun_filtered = mon == NULL && proc_info_is_filtered();
	monitor_calls_begin();
	begun = true;
	yield_monout_name();
}

bool
monitor_start(char *low, char *high, WORD *buffer, size_t words, size_t cells,
    const struct monitor_callbacks *calls)
{
	bool first = false;
	struct monout_file_block *b;

	if (getauxval(AT_SECURE) != 0 || !is_sane_buffer(low, high, words,
	    cells))
		return false;
	lock_monitor();
	b = profdir_find(m.directory) ? mmap_area_alloc(sizeof(*b)) : NULL;
	if (b != NULL) {
		monitor_calls_follow_fork();
		first = !begun;
		if (first)
			begin_monitor_run();
		m.file.head = (struct hdr){low, high, cells};
		monout_file_find_object(&m.file);
		m.calls = *calls;
		register_buffer(b, buffer, words, cells);
		if (!monitor_calls_are_paused())
			switch_histogram(true);
	}
	unlock_monitor();
	return first;
}

/* Returns the buffers to the program, which may free them now. */
static void
end_monitor_run(void)
{
	monout_cells_free(&m.file);
	monitor_calls_end();
	begun = false;
}

/*
 * Returns whether this process began monitor() and may end it.  Behind seccomp
 * the needed system calls may kill, so the library does nothing by itself.
 */
STATE_START static bool
is_own_run(void)
{
	return begun && !behind_filter && !profiling_is_frozen() &&
	    monitor_calls_are_own();
}

/*
 * Returns whether this process must write the file at its end.  A filter that
 * came by a call that no hook has seen may kill for opening it.
 */
STATE_START static bool
owes_monitor_file(void)
{
	return is_own_run() && (begun_filtered || !proc_info_filter_came());
}

/* Writes the file, and stops if *stop, a bool; reports a failure. */
static void
write_and_report(void *stop)
{
	int ret;

	monitor_calls_follow_fork();
	if (*(bool *)stop)
		switch_histogram(false);
	ret = write_monitor_file();
	if (ret != 0 && m.calls.complain != NULL)
		m.calls.complain(-ret, m.path);
	if (*(bool *)stop)
		end_monitor_run();
}

/*
 * Writes on a temporary stack or, if there is no memory for one, on the
 * caller's, which is usually large enough.
 */
static void
write_on_temp_stack(bool stop)
{
	if (temp_stack_call(write_and_report, &stop) != 0)
		write_and_report(&stop);
}

bool
monitor_set_frozen(bool on)
{
	bool before = behind_filter;

	/* Before the first filter getpid() is safe. */
	if (on && !before)
		filter_owner = atomic_load(&virtual_signals.vforks) != 0 ?
		    sys_getpid() : 0;
	behind_filter = on;
	return before != on;
}

void
monitor_clear_frozen(int child)
{
	if (behind_filter && child > 0 && filter_owner == child)
		behind_filter = false;
}

void
monitor_write(bool stop)
{
	lock_monitor();
	if (begun)
		write_on_temp_stack(stop);
	unlock_monitor();
}

/*
 * Does nothing in a fork child that has not called monitor(): it would replace
 * its parent's file.
 */
STATE_START void
monitor_end(void)
{
	if (!owes_monitor_file())
		return;
	lock_monitor();
	if (begun)
		write_on_temp_stack(true);
	unlock_monitor();
}

void
monitor_save(void)
{
	if (!owes_monitor_file())
		return;
	lock_monitor();
	if (begun)
		write_on_temp_stack(false);
	unlock_monitor();
}

static void
lock_and_switch_histogram(bool on)
{
	lock_monitor();
	if (begun && !monitor_calls_are_paused())
		switch_histogram(on);
	unlock_monitor();
}

bool
monitor_before_exec(void)
{
	if (!is_own_run())
		return false;
	monitor_save();
	lock_and_switch_histogram(false);
	return true;
}

void
monitor_exec_failed(void)
{
	lock_and_switch_histogram(true);
}

int
monitor_moncontrol(int mode)
{
	int before = -1;

	if (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
		return -1;
	lock_monitor();
	if (begun) {
		monitor_calls_follow_fork();
		before = !monitor_calls_are_paused();
		monitor_calls_set_paused(mode == 0);
		if ((mode != 0) != (before != 0))
			switch_histogram(mode != 0);
	}
	unlock_monitor();
	return before;
}

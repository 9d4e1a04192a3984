/* Context: T.  Begins and ends the profile of a process; see start.h. */
#include "life/start.h"

#include "base/got_patch.h"
#include "base/link_mode.h"
#include "base/loss_count.h"
#include "base/options.h"
#include "base/profiling.h"
#include "base/state.h"
#include "base/str.h"
#include "classic/clock_demand.h"
#include "classic/monitor.h"
#include "clock/wall_sampler.h"
#include "count/arc.h"
#include "count/live_control.h"
#include "heap/alloc_dispatch.h"
#include "heap/alloc_slow.h"
#include "heap/alloc_thread.h"
#include "life/seal.h"
#include "life/thread.h"
#include "module/library_copies.h"
#include "module/link_map.h"
#include "signal/exec_signals.h"
#include "signal/sigaction.h"
#include "signal/signal_move.h"
#include "store/store.h"
#include "store/store_create.h"
#include "thread/children.h"
#include "thread/thread_scan.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <time.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK	18	/* Linux 4.14 */
#endif
#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ	51	/* Linux 5.14, x86 */
#endif
#ifndef AT_RSEQ_FEATURE_SIZE
#define AT_RSEQ_FEATURE_SIZE	27	/* Linux 6.3 */
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
 * Returns whether it is certain that CPU timers expire on the way to user mode.
 */
static bool
has_task_work(void)
{
	struct utsname u;
	const char *p = u.release;
	uint64_t since = (uint64_t)ARCH_TASK_WORK_MAJOR << 32 |
	    ARCH_TASK_WORK_MINOR;
	uint64_t major, minor = 0;

	if (getauxval(AT_RSEQ_FEATURE_SIZE) != 0)
		return since != 0 && since <= ((uint64_t)6 << 32 | 3);
	if (since == 0 || SYS(uname, &u, 0, 0, 0, 0, 0) != 0)
		return false;
	major = str_decimal(&p);
	if (*p == '.') {
		p++;
		minor = str_decimal(&p);
	}
	return (major << 32 | minor) >= since;
}

/*
 * Returns the interval of the scheduler's tick, in which CPU timers expire, ns.
 * It is the resolution of the kernel's coarse clocks.
 */
static uint64_t
scheduler_tick(void)
{
	struct timespec t;

	if (SYS(clock_getres, CLOCK_MONOTONIC_COARSE, &t, 0, 0, 0, 0) != 0 ||
	    t.tv_sec != 0 || t.tv_nsec < 100000)
		return 4000000;	/* HZ=250, as in Debian */
	return (uint64_t)t.tv_nsec;
}

static void
measure_system(void)
{
	unsigned long frame = getauxval(AT_MINSIGSTKSZ);
	unsigned long page = getauxval(AT_PAGESZ);

	config.page = page != 0 ? page : 4096;
	config.frame = frame != 0 ? (unsigned)frame : 4096;
	config.tick_ns = scheduler_tick();
	config.task_work = has_task_work();
	config.pointer_direct = (getauxval(AT_HWCAP2) &
	    ARCH_HWCAP_THREAD_PTR) != 0;
}

/*
 * The state is in the library's own zero pages: a mapping of its own would cost
 * each process its page tables, 25 us of the 500 of /bin/true (measured beside
 * a library that does only that).
 */
static union {
	struct mon mon;
	char pages[STATE_BYTES];
} state STATE_SECTION("3.wiped") __attribute__((aligned(STATE_ALIGN)));

static void
init_state(void)
{
	config.wiped = sys_madvise(&state, sizeof state,
	    MADV_WIPEONFORK) == 0;
	profiling_set_child_begin(start_fork_child);
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

STATE_START static void
begin_process(bool forked, int pid)
{
	atomic_store(&mon->modules, &mon->table[0]);
	atomic_store(&mon->chunks, 1);
	mon->cpu_birth_ns = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	if (!forked)
		mon->children_birth_ns = children_cpu();
	if (!claim_process(pid))
		return;
	mon->parent = (int)SYS(getppid, 0, 0, 0, 0, 0, 0);
	mon->forked = forked && lineage.image != 0;
	if (!mon->forked)
		lineage.image = mon->pid;
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

/*
 * Seals the profile at exit(3).  The exit handler that was registered first
 * runs last: also behind the destructors of the program's libraries, which the
 * loader has run behind those of libmon.
 */
static void
seal_at_exit(int status, void *unused)
{
	(void)unused;
	seal_process(FORMAT_END_EXIT, status & 0xff);
}

/* Zero at first, so that it takes no page of .data. */
static struct {
	bool known;
	int status;
} quick;

/*
 * The handler that was registered first runs last, so that the time of the
 * other handlers is counted.
 */
static void
seal_at_quick_exit(void *unused)
{
	(void)unused;
	seal_process(FORMAT_END__EXIT, quick.known ? quick.status : -1);
}

void
start_quick_exit(int status)
{
	quick.status = status;
	quick.known = true;
}

/*
 * musl's loader gives the library its own libc for glibc's.  A function that
 * musl lacks must be weak, or the program does not start; the stubs of
 * pthread_atfork and at_quick_exit refer strongly to the functions below.
 */
extern int __cxa_at_quick_exit(void (*handler)(void *), void *library)
    __attribute__((weak));
extern int __register_atfork(void (*prepare)(void), void (*parent)(void),
    void (*child)(void), void *library) __attribute__((weak));

static bool
is_glibc(void)
{
	return __register_atfork != NULL && __cxa_at_quick_exit != NULL;
}

/*
 * Registers the handler by libc's on_exit(), not by the program's: a
 * ThreadSanitizer that is linked in stands before libc, and is not set up yet
 * when libmon runs as the first of all constructors.
 */
static void
register_on_exit(void (*handler)(int status, void *unused))
{
	int (*real)(void (*)(int, void *), void *) =
	    (int (*)(void (*)(int, void *), void *))dlsym(RTLD_NEXT, "on_exit");

	if (real != NULL)
		real(handler, NULL);
}

static void
begin_heap(void)
{
	if (alloc_dispatch_start() || (got_patch_install() &&
	    alloc_dispatch_start()))
		return;
	if (!config.maps)
		lineage_set_paused(LINEAGE_NO_HEAP, true);
	loss_count(LOSS_HEAP_BEHIND, 1);
}

/*
 * libc does not tell its fork handlers whether fork(2) failed, but errno
 * changes then: no other handler runs between libmon's and the call, as
 * libmon's are the first.  An errno that fork(2) might set is put aside
 * meanwhile.  Nothing is written that has its value already: a write after an
 * earlier fork costs the parent a page fault and a copy of the page.  The
 * address is kept because asking libc for it would cost each child a page
 * fault.
 */
static __thread struct {
	int *at, before;
} fork_errno;

static int
errno_of_success(int before)
{
	return before == EAGAIN || before == ENOMEM || before == ENOSYS ||
	    before == EPERM ? 0 : before;
}

STATE_START static void
on_fork_prepare(void)
{
	int now;

	start_before_fork();
	if (fork_errno.at == NULL)
		fork_errno.at = &errno;
	now = *fork_errno.at;
	if (fork_errno.before != now)
		fork_errno.before = now;
	if (errno_of_success(now) != now)
		*fork_errno.at = 0;
}

STATE_START static void
restore_fork_errno(void)
{
	if (*fork_errno.at == 0 && fork_errno.before != 0)
		*fork_errno.at = fork_errno.before;
}

STATE_START static void
on_fork_parent(void)
{
	const bool made = *fork_errno.at ==
	    errno_of_success(fork_errno.before);

	restore_fork_errno();
	start_fork_parent(made);
}

STATE_START static void
on_fork_child(void)
{
	restore_fork_errno();
	start_fork_child();
}

static void
begin_profiling(void)
{
	if (config.place == CONFIG_PLACE_OFF)
		return;
	measure_system();
	init_state();
	begin_process(false, sys_getpid());
	arc_report_early();
	if (config.heap)
		begin_heap();
	if (!config.linked)
		register_on_exit(seal_at_exit);
	__cxa_at_quick_exit(seal_at_quick_exit, NULL);
	__register_atfork(on_fork_prepare, on_fork_parent, on_fork_child, NULL);
}

void
start_library(char **environment)
{
	if (__atomic_exchange_n(&config.begun, true, __ATOMIC_RELAXED))
		return;
	link_map_init((const void *)getauxval(AT_PHDR), getauxval(AT_PHNUM),
	    getauxval(AT_EXECFN));
	/* These processes read no options: config.place stays off. */
	if (!is_glibc() || library_copies_is_second())
		return;
	config.linked = link_mode_is_linked(options_getenv(environment,
	    "LD_PRELOAD="));
	if (config.linked)
		return;
	options_read(environment);
	begin_profiling();
}

void
start_linked(void)
{
	static _Atomic int thread;	/* that starts; -1: started */
	int other = 0, own;

	if (!config.linked || atomic_load(&thread) == -1)
		return;
	own = sys_gettid();
	if (atomic_compare_exchange_strong(&thread, &other, own)) {
		config.starting = true;
		options_read_linked(environ);
		begin_profiling();
		config.starting = false;
		atomic_store(&thread, -1);
	}
	/*
	 * Other threads wait, but not a signal handler in the thread that
	 * starts.
	 */
	while (other != own && atomic_load(&thread) > 0)
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
}

/* Runs behind the exit handlers that were there before the library began. */
void
start_library_end(void)
{
	if (config.linked)
		seal_process(FORMAT_END_EXIT, -1);
	else if (!profiling_is_active())
		monitor_end();
}

STATE_START void
start_take_order(void)
{
	if (config.place != CONFIG_PLACE_OFF && mon != NULL &&
	    !profiling_is_frozen())
		alloc_slow_take_order(NULL);
}

STATE_START void
start_before_fork(void)
{
	start_take_order();
	alloc_thread_fork_prepare();
}

STATE_START void
start_fork_parent(bool made)
{
	alloc_thread_fork_parent();
	if (made)
		start_count_child();
}

STATE_START void
start_count_child(void)
{
	if (!profiling_is_active())
		return;
	children_add();
	if (atomic_load(&mon->frozen))
		children_write_count();
}

STATE_START void
start_fork_child(void)
{
	int pid;

	if (config.place == CONFIG_PLACE_OFF || mon == NULL)
		return;
	alloc_thread_fork_child();
	if (profiling_is_frozen()) {
		config.place = CONFIG_PLACE_OFF;
		return;		/* nothing may be undone either */
	}
	pid = sys_getpid();
	/*
	 * This read writes, too: a plain read before the first write would make
	 * the page fault twice.
	 */
	if (__atomic_fetch_add(&mon->pid, 0, __ATOMIC_SEQ_CST) == pid)
		return;		/* begun already, by a hook */
	if (!config.wiped)
		mem_zero(mon, sizeof *mon);
	if (mon->pid != 0)
		return;		/* a vfork child: the state is its parent's */
	if (!config.follow) {
		config.place = CONFIG_PLACE_OFF;
		exec_signals_uninstall();
		return;
	}
	begin_process(true, pid);
}

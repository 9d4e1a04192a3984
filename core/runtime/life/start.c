/*
 * Context: T.  Starts and ends the library, for its constructor and destructor
 * and for the first hook that is called; see start.h.
 */
#include "life/start.h"

#include "base/got_patch.h"
#include "base/libc_handlers.h"
#include "base/loss_count.h"
#include "base/profiling.h"
#include "base/state.h"
#include "base/store_header.h"
#include "base/system_facts.h"
#include "classic/monitor.h"
#include "count/arc.h"
#include "heap/alloc_dispatch.h"
#include "heap/map_dispatch.h"
#include "life/exit_handlers.h"
#include "life/process_begin.h"
#include "life/process_fork.h"
#include "module/library_copies.h"
#include "module/link_map.h"
#include "options/environment.h"
#include "options/link_mode.h"
#include "options/options.h"
#include "seal/seal.h"

#include <sys/auxv.h>

/* Tells glibc by two of its functions, which musl lacks. */
static bool
is_glibc(void)
{
	return __register_atfork != NULL && __cxa_at_quick_exit != NULL;
}

/*
 * Begins to count allocations; if the program's allocator cannot be hooked,
 * counts LOSS_HEAP_BEHIND.
 */
static void
begin_heap(void)
{
	struct format_header *h;

	if (alloc_dispatch_start())
		return;
	if (got_patch_install() && alloc_dispatch_start()) {
		h = store_header();	/* it may have been made before */
		if (h != NULL)
			__atomic_store_n(&h->no_modes, 0, __ATOMIC_RELAXED);
		return;
	}
	if (!config.maps)
		lineage_set_paused(LINEAGE_NO_HEAP, true);
	loss_count(LOSS_HEAP_BEHIND, 1);
}

/*
 * Runs before `mon` is set: from then on the first call of an allocation
 * function, in any thread or handler, may fill the table with these stubs.
 */
static void
set_heap_stubs(void)
{
	alloc_dispatch_set_stubs(alloc_dispatch_counting,
	    alloc_dispatch_sampling);
	map_dispatch_set_stubs(map_dispatch_counting);
}

/* Begins to profile by the options in `config`, unless they say not to. */
static void
begin_profiling(void)
{
	if (config.place == CONFIG_PLACE_OFF)
		return;
	system_facts_measure();
	profiling_set_child_begin(process_fork_begin_child);
	set_heap_stubs();
	process_begin_state();
	process_begin(false, sys_getpid());
	arc_report_early();
	if (config.heap)
		begin_heap();
	exit_handlers_register();
	process_fork_register_handlers();
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
	config.linked = link_mode_is_linked(environment_get(environment,
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

/*
 * Context: S.  Runs searches and orders on the alloc_thread's stack, for
 * alloc_count.c, alloc_count_enter.c and process_fork.c; see alloc_slow.h.
 */
#include "heap/alloc_slow.h"

#include "base/vfork_child.h"
#include "count/live_control.h"
#include "heap_paths/path_cache.h"
#include "store/store.h"
#include "store/store_create.h"
#include "thread/thread_slot.h"

/* Bytes: room for some paths, else no new search is worth its time. */
#define ROOM	4096u

/*
 * Does what alloc_slow_run() says for an alloc_thread that exists.  Runs on the
 * alloc_thread's stack; in a frozen process on the caller's.
 */
static void
find_file_and_path(void *arg)
{
	struct alloc_slow *s = arg;

	/*
	 * A fork child may continue a call of its parent with its parent's
	 * alloc_thread.  That alloc_thread is not attached to a file, since the
	 * child has none of its own for it.
	 */
	if (s->thread->generation == ALLOC_THREAD_OF_PARENT)
		return;
	/*
	 * Behind a seccomp filter no file can be made, and no clock can be
	 * read.
	 */
	if (atomic_load(&mon->frozen) && !alloc_thread_is_current(s->thread))
		return;
	if (!store_create_wait() || (!alloc_thread_is_current(s->thread) &&
	    !alloc_thread_attach(s->thread)))
		return;
	if (s->heap == PATH_CACHE_LOST) {
		if (store_reserve(ROOM) != 0)
			return;
		path_cache_reset(&s->thread->path_cache);
		s->heap = 0;
	}
	if (s->from != NULL)
		s->heap = s->map ? path_cache_resolve_map(s->thread, s->from) :
		    path_cache_resolve(s->thread, s->from);
}

/*
 * Installs our handler of memory faults if no tick has done that yet: the
 * process may have no clocks.  A vfork child has signal actions of its own, but
 * shares virtual_signals, where its parent would find `installed` set without
 * the handler.
 */
static void
guard_walks(void)
{
	if (virtual_signals.faults[VIRTUAL_FAULT_SEGV].installed ||
	    atomic_load_explicit(&mon->segv_asked, memory_order_relaxed) ||
	    vfork_child_is_possible())
		return;
	signal_chain_guard_walks(sys_clock(CLOCK_THREAD_CPUTIME_ID));
}

void
alloc_slow_run(struct alloc_slow *s)
{
	sys_sigset before;

	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed)) {
		if (s->thread != NULL)
			find_file_and_path(s);
		return;
	}
	guard_walks();
	thread_slot_block_signals(&before);
	if (s->thread == NULL)
		s->thread = alloc_thread_acquire();
	if (s->thread != NULL)
		arch_call_on_stack(alloc_thread_stack(s->thread),
		    find_file_and_path, s);
	thread_slot_restore_mask(&before);
}

static void
poll_tool_order(void *unused)
{
	(void)unused;
	live_control_poll();
}

void
alloc_slow_take_order(struct alloc_thread *l)
{
	sys_sigset before;

	if (!live_control_has_order())
		return;
	/*
	 * Behind a seccomp filter every order is refused.  That needs neither
	 * blocked signals nor another stack, so no system call is made.
	 */
	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed)) {
		poll_tool_order(NULL);
		return;
	}
	if (sys_getpid() != mon->pid)
		return;
	thread_slot_block_signals(&before);
	if (l == NULL)
		l = alloc_thread_acquire();
	if (l != NULL)
		arch_call_on_stack(alloc_thread_stack(l), poll_tool_order,
		    NULL);
	thread_slot_restore_mask(&before);
}

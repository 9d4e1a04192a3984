/*
 * Context: T.  Follows the forks of the process: libc calls its fork handlers
 * at fork(3), hooks call the rest; see process_fork.h.
 */
#include "life/process_fork.h"

#include "base/libc_handlers.h"
#include "base/profiling.h"
#include "base/state.h"
#include "base/str.h"
#include "heap/alloc_slow.h"
#include "heap/alloc_thread.h"
#include "life/process_begin.h"
#include "signal/exec_signals.h"
#include "thread/children.h"

#include <errno.h>

STATE_START void
process_fork_take_order(void)
{
	if (config.place != CONFIG_PLACE_OFF && mon != NULL &&
	    !profiling_is_frozen())
		alloc_slow_take_order(NULL);
}

STATE_START void
process_fork_prepare(void)
{
	process_fork_take_order();
	alloc_thread_fork_prepare();
}

STATE_START void
process_fork_finish(bool made)
{
	alloc_thread_fork_parent();
	if (made)
		process_fork_count_child();
}

STATE_START void
process_fork_count_child(void)
{
	if (!profiling_is_active())
		return;
	children_add();
	if (atomic_load(&mon->frozen))
		children_write_count();
}

STATE_START void
process_fork_begin_child(void)
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
		mem_zero(mon, sizeof(*mon));
	if (mon->pid != 0)
		return;		/* a vfork child: the state is its parent's */
	if (!config.follow) {
		config.place = CONFIG_PLACE_OFF;
		exec_signals_uninstall();
		return;
	}
	process_begin(true, pid);
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

/* Returns `before`, or 0 if that is an errno which fork(2) may set. */
static int
errno_of_success(int before)
{
	return before == EAGAIN || before == ENOMEM || before == ENOSYS ||
	    before == EPERM ? 0 : before;
}

/*
 * Runs in the parent before fork(2): prepares, and sets errno for
 * on_fork_parent().
 */
STATE_START static void
on_fork_prepare(void)
{
	int now;

	process_fork_prepare();
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
	process_fork_finish(made);
}

STATE_START static void
on_fork_child(void)
{
	restore_fork_errno();
	process_fork_begin_child();
}

void
process_fork_register_handlers(void)
{
	__register_atfork(on_fork_prepare, on_fork_parent, on_fork_child, NULL);
}

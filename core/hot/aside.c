/* Context: S.  Work that opens files, aside from the program's descriptors. */
#include "aside.h"

#include "state.h"

#include <sched.h>

/*
 * CLONE_VFORK: we sleep until it has ended, so that it can use our stack.  Its
 * table is a copy; closing a copy at its end neither ends locks (they belong to
 * the table) nor anything else of the program's.
 */
#define ASIDE_FLAGS \
	(CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | \
	CLONE_VFORK)

struct work {
	void (*fn)(void *);
	void *arg;
};

/* A sweep for threads must not take one of these for the program's. */
static void
note_and_run(void *work)
{
	const struct work *w = work;
	unsigned n = atomic_fetch_add(&mon->asides, 1);

	atomic_store(&mon->aside_tid[n % ASIDE_NOTED], sys_gettid());
	w->fn(w->arg);
}

bool
aside_is(int tid)
{
	unsigned i;

	for (i = 0; i < ASIDE_NOTED; i++)
		if (atomic_load(&mon->aside_tid[i]) == tid)
			return true;
	return false;
}

/*
 * CLONE_VFORK wakes us when the thread has left our memory, a moment before it has left the
 * process: chromium's zygote counts its threads before it forks, unshare(2) wants to
 * be alone.
 */
static void
wait_until_gone(int tid)
{
	while (sys_tgkill(mon->pid, tid, 0) == 0)
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
}

void
aside(void (*fn)(void *), void *arg)
{
	struct work w = {fn, arg};
	long tid = arch_aside(ASIDE_FLAGS, note_and_run, &w);

	if (sys_failed(tid))
		fn(arg);
	else
		wait_until_gone((int)tid);
}

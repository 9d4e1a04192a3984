/*
 * Context: T.  Counts child processes that share our memory and run beside us.
 */
#include "sharer.h"

#include "start.h"
#include "store.h"

#include <stdint.h>

#define LITTLE_NS	4000000u	/* as little as a short first tick */

/* The last children; an older one that was replaced stays counted. */
#define NOTED	16

static _Atomic int noted[NOTED];
static _Atomic unsigned notes;

struct start {
	int (*fn)(void *);
	void *argument;
};

static bool
is_noted(int pid)
{
	unsigned i;

	for (i = 0; i < NOTED && atomic_load(&noted[i]) != pid; i++)
		;
	return i < NOTED;
}

static void
count(int pid)
{
	atomic_store(&noted[atomic_fetch_add(&notes, 1) % NOTED], pid);
	loss_count(LOSS_SHARED_MEMORY, 1);
}

static int
run(void *start)
{
	const struct start s = *(const struct start *)start;

	count(sys_getpid());
	return s.fn(s.argument);
}

void *
sharer_prepare(int (**fn)(void *), void **argument, void *stack)
{
	const uintptr_t top = (uintptr_t)stack & ~(uintptr_t)15;
	struct start *s = (struct start *)(top - sizeof *s);

	s->fn = *fn;
	s->argument = *argument;
	*fn = run;
	*argument = s;
	return s;
}

static bool
used_little(void)
{
	return sys_clock(CLOCK_PROCESS_CPUTIME_ID) <= LITTLE_NS;
}

void
sharer_ends(void)
{
	int pid;

	if (mon == NULL || start_boxed() || atomic_load(&view.vforks) == 0 ||
	    mon->pid == 0)
		return;
	pid = sys_getpid();
	if (pid != mon->pid && !is_noted(pid) && !used_little())
		count(pid);
}

bool
sharer_leaves(void)
{
	sharer_ends();
	if (!is_noted(sys_getpid()) || !used_little())
		return false;
	loss_count(LOSS_SHARED_MEMORY, UINT64_MAX);
	return true;
}

void
sharer_stays(void)
{
	loss_count(LOSS_SHARED_MEMORY, 1);
}

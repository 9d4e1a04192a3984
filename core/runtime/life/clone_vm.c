/*
 * Context: T.  Counts child processes that share the caller's memory, as a
 * loss, for the hooks of clone() and _exit(), and for exec_image.c; see
 * clone_vm.h.
 */
#include "life/clone_vm.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "store/store.h"

#include <stdint.h>

/* ns: a child that used less CPU time is no loss, as no tick would come */
#define LITTLE_CPU_NS	4000000u

/*
 * Pids of the last children that were counted.  If a newer one takes the place
 * of an older one, the exec of the older one does not take its count back.
 */
#define CHILDREN_KEPT	16

static _Atomic int counted_children[CHILDREN_KEPT];
static _Atomic unsigned counted_total;

struct clone_vm_start {
	int (*fn)(void *);
	void *argument;
};

static bool
is_counted_child(int pid)
{
	unsigned i;

	for (i = 0; i < CHILDREN_KEPT &&
	    atomic_load(&counted_children[i]) != pid; i++)
		;
	return i < CHILDREN_KEPT;
}

/* Counts the child as a loss, and keeps its pid for its exec. */
static void
count_vm_child(int pid)
{
	atomic_store(&counted_children[atomic_fetch_add(&counted_total,
	    1) % CHILDREN_KEPT], pid);
	loss_count(LOSS_SHARED_MEMORY, 1);
}

/*
 * Counts the child of clone(), which calls this on its own stack, and calls the
 * function of the program.
 */
static int
run_vm_child(void *start)
{
	const struct clone_vm_start s = *(const struct clone_vm_start *)start;

	count_vm_child(sys_getpid());
	return s.fn(s.argument);
}

void *
clone_vm_prepare(int (**fn)(void *), void **argument, void *stack)
{
	const uintptr_t top = (uintptr_t)stack & ~(uintptr_t)15;
	struct clone_vm_start *s = (struct clone_vm_start *)(top - sizeof(*s));

	s->fn = *fn;
	s->argument = *argument;
	*fn = run_vm_child;
	*argument = s;
	return s;
}

/* Returns whether the calling process has used at most LITTLE_CPU_NS. */
static bool
used_little_cpu(void)
{
	return sys_clock(CLOCK_PROCESS_CPUTIME_ID) <= LITTLE_CPU_NS;
}

void
clone_vm_exit(void)
{
	int pid;

	if (mon == NULL || profiling_is_frozen() ||
	    atomic_load(&virtual_signals.vforks) == 0 || mon->pid == 0)
		return;
	pid = sys_getpid();
	if (pid != mon->pid && !is_counted_child(pid) && !used_little_cpu())
		count_vm_child(pid);
}

bool
clone_vm_exec(void)
{
	clone_vm_exit();
	if (!is_counted_child(sys_getpid()) || !used_little_cpu())
		return false;
	loss_count(LOSS_SHARED_MEMORY, UINT64_MAX);	/* takes one back */
	return true;
}

void
clone_vm_exec_failed(void)
{
	loss_count(LOSS_SHARED_MEMORY, 1);
}

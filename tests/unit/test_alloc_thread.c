/*
 * Context: O. Tests of core/hot/heap/alloc_thread.c: forks by handlers amid a
 * call.
 */
#include "heap/alloc_thread.h"
#include "store/ancestor.h"
#include "thread/thread_slot.h"
#include "target.h"

#include "base/loss_count.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

static void
start(void)
{
	target_init();
	target_birth();
}

TestSuite(alloc_thread, .init = start, .fini = target_fini);

/* An alloc_thread that is in the middle of a call. */
static struct alloc_thread *
amid_a_call(void)
{
	struct alloc_thread *l = alloc_thread_acquire();

	cr_assert_not_null(l);
	cr_assert(alloc_thread_attach(l));
	l->inside = (uintptr_t)__builtin_frame_address(0);
	return l;
}

/* The alloc_thread is that of the parent's thread, which goes on with it. */
static int
in_vfork_child(void)
{
	struct thread_slot *s = thread_slot_self;
	struct alloc_thread *l;

	atomic_store(&virtual_signals.vforks, 1);
	thread_slot_self = NULL;
	if (alloc_thread_acquire() != NULL)
		return __LINE__;
	thread_slot_self = s;
	l = alloc_thread_acquire();
	return l != NULL && l->tid == s->tid ? 0 : __LINE__;
}

Test(alloc_thread, a_vfork_child_has_it_for_its_parent)
{
	int line;

	target_slot();
	line = target_child(in_vfork_child);
	cr_expect_eq(line, 0, "%d", line);
}

static struct alloc_thread *thread;

/* Wipes the memory that the kernel would wipe in a child. */
static int
go_on_in_child(void)
{
	memset(mon, 0, sizeof *mon);
	alloc_thread_fork_child();
	mon->pid = (int)getpid();
	atomic_store(&mon->running, true);
	thread->memory->era++;	/* the call under way goes on */
	memset(thread->base, 1, FORMAT_HEADER);
	ancestor_count_no_file();
	loss_count(LOSS_NESTED, 5);
	ancestor_move_losses();
	return 0;
}

Test(alloc_thread, a_child_amid_a_call_keeps_its_ancestor)
{
	int line;

	ancestor_share_header();
	thread = amid_a_call();
	alloc_thread_fork_prepare();
	line = target_child(go_on_in_child);
	alloc_thread_fork_parent();
	cr_expect_eq(line, 0, "%d", line);
	cr_expect_eq(target_loss(LOSS_CHILD_FILE), 1);
	cr_expect_eq(target_loss(LOSS_NESTED), 5);
	cr_expect_eq(memcmp(mon->store.base, FORMAT_MAGIC, 4), 0);
}

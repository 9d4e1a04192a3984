/* Context: O.  Tests of core/hot/lane.c: forks by handlers amid a call. */
#include "ancestor.h"
#include "lane.h"
#include "target.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

static void
start(void)
{
	target_init();
	target_birth();
}

TestSuite(lane, .init = start, .fini = target_fini);

/* A lane that is in the middle of a call. */
static struct lane *
amid_a_call(void)
{
	struct lane *l = lane_take();

	cr_assert_not_null(l);
	cr_assert(lane_follow(l));
	l->inside = (uintptr_t)__builtin_frame_address(0);
	return l;
}

static struct lane *lane;

/* Wipes the memory that the kernel would wipe in a child. */
static int
go_on_in_child(void)
{
	memset(mon, 0, sizeof *mon);
	lane_fork_child();
	mon->pid = (int)getpid();
	atomic_store(&mon->running, true);
	lane->memory->era++;	/* the call under way goes on */
	memset(lane->base, 1, FORMAT_HEADER);
	ancestor_tell_none();
	loss_count(LOSS_NESTED, 5);
	ancestor_tell_losses();
	return 0;
}

Test(lane, a_child_amid_a_call_keeps_its_ancestor)
{
	int line;

	ancestor_share();
	lane = amid_a_call();
	lane_fork_begins();
	line = target_child(go_on_in_child);
	lane_fork_ends();
	cr_expect_eq(line, 0, "%d", line);
	cr_expect_eq(target_loss(LOSS_CHILD_FILE), 1);
	cr_expect_eq(target_loss(LOSS_NESTED), 5);
	cr_expect_eq(memcmp(mon->store.base, FORMAT_MAGIC, 4), 0);
}

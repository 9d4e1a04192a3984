/*
 * Context: O. Tests of core/runtime/seal/seal.c: what is moved, and what is
 * lost.
 */
#include "seal/seal.h"
#include "store/store.h"
#include "target.h"
#include "thread/thread_slot.h"

#include "base/loss_count.h"
#include "base/store_header.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* As on a network directory: the live file is elsewhere. */
static void
start(void)
{
	target_init();
	target_birth();
	mon->store.local = true;
	mon->store.final = mon->store_final;
	strcpy(mon->store_final, target_path("final"));
}

TestSuite(seal, .init = start, .fini = target_fini);

static bool
there(const char *path)
{
	return access(path, F_OK) == 0;
}

Test(seal, moved)
{
	struct target_file t;

	strcpy(mon->birth_scratch, "the command line");
	/* A killed process of this name has left it. */
	cr_assert_eq(close(creat(target_path("final.part"), 0600)), 0);
	seal_process(FORMAT_END_EXIT, 0);
	cr_expect_str_eq(mon->birth_scratch, "the command line",
	    "another thread may be writing it into the file");
	cr_expect_not(there(mon->store.path));
	cr_expect_not(there(target_path("final.part")));
	target_read(&t, mon->store.final);
	target_read_fini(&t);
}

/* Its limit is the program's to lower: no SIGXFSZ. */
static int
seal_below_limit(void)
{
	struct rlimit r = {4096, 4096};

	mon->pid = getpid();
	if (setrlimit(RLIMIT_FSIZE, &r) != 0)
		return __LINE__;
	seal_process(FORMAT_END_EXIT, 0);
	return 0;
}

Test(seal, not_moved_past_the_file_size_limit)
{
	struct target_file t;
	struct stat st;

	sys_madvise(mon->store.base, mon->store.cap, MADV_DOFORK);
	cr_expect_eq(target_child(seal_below_limit), 0);
	cr_expect_not(there(mon->store.final));
	cr_expect_not(there(target_path("final.part")));
	cr_assert_eq(stat(mon->store.path, &st), 0);
	cr_expect_lt(st.st_size, TARGET_CAP, "it is cut where it lies");
	target_read(&t, mon->store.path);
	target_read_fini(&t);
}

/* Counted by a thread that saw no file, and was late to say so. */
Test(seal, losses_that_were_counted_late)
{
	struct target_file t;

	atomic_fetch_add(&mon->early[LOSS_NESTED], 3);
	seal_process(FORMAT_END_EXIT, 0);
	target_read(&t, mon->store.final);
	cr_expect_eq(t.d.header.loss[LOSS_NESTED], 3);
	target_read_fini(&t);
}

Test(seal, losses_that_are_counted_late)
{
	atomic_store(&mon->store.state, STORE_BUSY);
	loss_count(LOSS_NESTED, 2);
	cr_expect_eq(atomic_load(&mon->early[LOSS_NESTED]), 2);
	atomic_store(&mon->store.state, STORE_READY);
	loss_count_move_early(store_header());
	cr_expect_eq(atomic_load(&mon->early[LOSS_NESTED]), 0);
	cr_expect_eq(store_header()->loss[LOSS_NESTED], 2);
}

static uint64_t
tails_of(struct thread_slot *s)
{
	struct target_file t;
	uint64_t n;

	s->pending.backlog = 1000;
	seal_process(FORMAT_END_EXIT, 0);
	target_read(&t, mon->store.final);
	n = t.d.header.loss[LOSS_TAIL];
	target_read_fini(&t);
	return n;
}

/* The thread of another slot does not come to the end of its tick. */
Test(seal, a_tick_that_is_under_way)
{
	struct thread_slot *s = target_slot();

	target_slot();
	atomic_store(&s->busy, 1);
	cr_expect_eq(tails_of(s), 1);
}

/* A handler of the program's ends it amid a tick of the same thread. */
Test(seal, amid_a_tick)
{
	struct thread_slot *s = target_slot();

	atomic_store(&s->busy, 1);
	cr_expect_eq(tails_of(s), 1);
}

Test(seal, a_backlog_of_no_place)
{
	cr_expect_eq(tails_of(target_slot()), 1);
}

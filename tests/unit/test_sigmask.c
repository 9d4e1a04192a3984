/* Context: O.  Tests of core/runtime/signal/sigmask.c: the real mask, and the
 * seen. */
#include "signal/sigmask.h"
#include "signal/signal_move.h"
#include "signal/wait_set.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define T	SYS_SIGBIT(SIGPROF)
#define A	SYS_SIGBIT(SIGSTKFLT)
#define PLAIN	SYS_SIGBIT(SIGUSR1)

static void
start(void)
{
	target_init();
	target_slot();
	sigmask_init_thread(NULL, false);
}

TestSuite(sigmask, .init = start, .fini = target_fini);

static uint64_t
real(void)
{
	uint64_t mask = 0;

	cr_assert_eq(sys_sigprocmask(SIG_BLOCK, NULL, &mask), 0);
	return mask;
}

static uint64_t
change(int how, uint64_t bits)
{
	sigset_t set, old;

	sigemptyset(&set);
	*sigmask_bits(&set) = bits;
	memset(&old, 0xff, sizeof old);
	cr_assert_eq(sigmask_change(how, &set, &old), 0);
	return sigmask_bits_of(&old);
}

static uint64_t
seen(void)
{
	sigset_t old;

	memset(&old, 0xff, sizeof old);
	cr_assert_eq(sigmask_change(SIG_BLOCK, NULL, &old), 0);
	for (size_t i = 1; i < sizeof old / 8; i++)
		cr_assert_eq(((uint64_t *)&old)[i], UINT64_MAX,
		    "as the kernel, which writes 8 bytes");
	return sigmask_bits_of(&old);
}

static uint64_t
pick(unsigned i)
{
	return (i & 1 ? T : 0) | (i & 2 ? A : 0) | (i & 4 ? SIGNAL_MASK_SHADOW :
	    0) | (i & 8 ? PLAIN : 0);
}

/* Every change from every mask: as the kernel would do it, ours never in. */
static void
all_changes(uint64_t never)
{
	for (unsigned i = 0; i < 16 * 16 * 3; i++) {
		uint64_t from = pick(i % 16), by = pick(i / 16 % 16);
		int how = i / 256 == 0 ? SIG_BLOCK : i / 256 == 1 ?
		    SIG_UNBLOCK : SIG_SETMASK;
		uint64_t want = how == SIG_BLOCK ? from | by :
		    how == SIG_UNBLOCK ? from & ~by : by;

		change(SIG_SETMASK, from);
		cr_assert_eq(change(how, by), from, "%u: old", i);
		cr_assert_eq(seen(), want, "%u: %#jx, not %#jx", i,
		    (uintmax_t)seen(), (uintmax_t)want);
		cr_assert_eq(real() & never, 0, "%u: ours is blocked", i);
		cr_assert_eq(real() & PLAIN, want & PLAIN);
	}
}

Test(sigmask, changes)
{
	all_changes(T | A);
}

Test(sigmask, changes_after_the_move)
{
	signal_move_if_used(SIGPROF);
	cr_assert(virtual_signals.moved);
	all_changes(A);
	change(SIG_SETMASK, T);
	cr_expect_eq(real(), T, "native");
}

/* A signal that its picture says is blocked is really blocked from then on. */
Test(sigmask, over_the_move)
{
	for (unsigned i = 0; i < 16; i++) {
		change(SIG_SETMASK, pick(i));
		virtual_signals.moved = true;
		atomic_store(&virtual_signals.signal, SIGSTKFLT);
		atomic_store(&virtual_signals.other, SIGPROF);
		cr_expect_eq(seen(), pick(i), "%u", i);
		cr_expect_eq(real(), pick(i) & ~A, "%u", i);
		virtual_signals.moved = false;
		atomic_store(&virtual_signals.signal, SIGPROF);
		atomic_store(&virtual_signals.other, SIGSTKFLT);
		signal_mask_own.program.settled = false;
	}
}

Test(sigmask, answers_of_the_kernel)
{
	sigset_t set;
	uint64_t before;

	sigemptyset(&set);
	cr_expect_eq(sigmask_change(77, &set, NULL), -EINVAL);
	*sigmask_bits(&set) = T;
	before = seen();
	cr_expect_eq(sigmask_change(77, &set, NULL), -EINVAL);
	cr_expect_eq(seen(), before);
	/* KILL and STOP are never in, libc's own neither. */
	cr_expect_eq(change(SIG_SETMASK, UINT64_MAX), before);
	cr_expect_eq(seen(), UINT64_MAX & ~(SYS_SIGBIT(SIGKILL) |
	    SYS_SIGBIT(SIGSTOP) | SYS_SIGBIT(32) | SYS_SIGBIT(33)));
	cr_expect_eq(real() & (T | A), 0);
	change(SIG_SETMASK, 0);
}

Test(sigmask, sets_of_the_program_stay)
{
	sigset_t set, copy;

	sigfillset(&set);
	copy = set;
	cr_assert_eq(sigmask_change(SIG_SETMASK, &set, NULL), 0);
	cr_expect_arr_eq(&set, &copy, sizeof set);
	wait_set_for_mask(&set, &copy);
	sigfillset(&copy);
	cr_expect_eq(sigmask_bits_of(&set), sigmask_bits_of(&copy));
	sigemptyset(&set);
	sigmask_change(SIG_SETMASK, &set, NULL);
}

Test(sigmask, calls_that_wait_with_a_mask)
{
	sigset_t set, copy;
	const sigset_t *got;

	cr_expect_null(wait_set_for_mask(NULL, &copy));
	for (unsigned i = 0; i < 16; i++) {
		struct signal_mask_program before = signal_mask_own.program;

		sigemptyset(&set);
		*sigmask_bits(&set) = pick(i);
		got = wait_set_for_mask(&set, &copy);
		cr_expect_eq(got, &copy);
		cr_expect_eq(sigmask_bits_of(got) & (T | A), 0, "%u", i);
		cr_expect_eq(sigmask_bits_of(got) & PLAIN, pick(i) & PLAIN);
		cr_expect_eq((sigmask_bits_of(got) & SIGNAL_MASK_SHADOW) != 0,
		    (pick(i) & (T | SIGNAL_MASK_SHADOW)) != 0);
		/* Only for the call. */
		cr_expect_arr_eq(&before, &signal_mask_own.program,
		    sizeof before);
	}
}

Test(sigmask, sets_to_wait_for)
{
	sigset_t set, copy;

	cr_expect_null(wait_set_for_signals(NULL, &copy));
	sigemptyset(&set);
	*sigmask_bits(&set) = PLAIN | A;
	cr_expect_eq(sigmask_bits_of(wait_set_for_signals(&set, &copy)) & PLAIN,
	    PLAIN);
	/* The program uses T: our ticks have moved away from it. */
	*sigmask_bits(&set) = T | PLAIN;
	cr_expect_eq(sigmask_bits_of(wait_set_for_signals(&set, &copy)),
	    T | PLAIN);
	cr_expect_eq(signal_mask_tick() & T, 0);
	cr_expect_eq(sigmask_bits_of(&set), T | PLAIN);
}

/* exec: the new image starts with what the program asked for. */
Test(sigmask, exposed)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t before, old;

		change(SIG_SETMASK, pick(i));
		old = real();
		before = sigmask_apply_program();
		cr_expect_eq(real(), pick(i), "%u: %#jx", i,
		    (uintmax_t)real());
		sigmask_restore(before);
		cr_expect_eq(real(), old);
		cr_expect_eq(seen(), pick(i));
	}
}

/* A thread begins with its maker's mask, its maker's picture too. */
struct birth {
	struct signal_mask_program asked;
	uint64_t seen, real;
};

static void *
look(void *arg)
{
	struct birth *b = arg;

	sigmask_init_thread(&b->asked, false);
	b->seen = signal_mask_virtual(real());
	b->real = real();
	return NULL;
}

Test(sigmask, new_threads)
{
	for (unsigned i = 0; i < 16; i++) {
		struct birth b;
		pthread_t thread;

		change(SIG_SETMASK, pick(i));
		b.asked = signal_mask_own.program;
		pthread_create(&thread, NULL, look, &b);
		pthread_join(thread, NULL);
		cr_expect_eq(b.seen, pick(i), "%u: %#jx", i,
		    (uintmax_t)b.seen);
		cr_expect_eq(b.real & (T | A), 0, "%u", i);
	}
	change(SIG_SETMASK, 0);
}

/* pthread_attr_setsigmask_np: a mask that no hook has seen. */
Test(sigmask, threads_with_a_mask_of_their_own)
{
	for (unsigned i = 0; i < 16; i++) {
		struct birth b = {0};
		pthread_attr_t attr;
		pthread_t thread;
		sigset_t set;

		sigemptyset(&set);
		*sigmask_bits(&set) = pick(i) & ~SIGNAL_MASK_SHADOW;
		pthread_attr_init(&attr);
		cr_assert_eq(pthread_attr_setsigmask_np(&attr, &set), 0);
		pthread_create(&thread, &attr, look, &b);
		pthread_join(thread, NULL);
		pthread_attr_destroy(&attr);
		cr_expect_eq(b.seen, pick(i) & ~SIGNAL_MASK_SHADOW, "%u", i);
		cr_expect_eq(b.real & (T | A), 0, "%u", i);
	}
}

/* The process began with T blocked: by whoever started it. */
Test(sigmask, the_first_thread)
{
	uint64_t mask = T | A | PLAIN;

	sys_sigprocmask(SIG_SETMASK, &mask, NULL);
	sigmask_init_thread(NULL, false);
	cr_expect_eq(real() & (T | A), 0);
	cr_expect_eq(seen(), mask);
	change(SIG_SETMASK, 0);
}

/* In a vfork child no clock runs: the program's mask is the real one. */
static int
as_a_vfork_child(void)
{
	sigset_t set, old;

	atomic_store(&virtual_signals.vforks, 1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	if (sigmask_change(SIG_BLOCK, &set, &old) != 0)
		return __LINE__;
	if (sigmask_bits_of(&old) != (T | PLAIN))
		return __LINE__;
	if (real() != (T | PLAIN | SYS_SIGBIT(SIGUSR2)))
		return __LINE__;
	sigaddset(&set, SIGPROF);
	if (sigmask_change(SIG_UNBLOCK, &set, NULL) != 0)
		return __LINE__;
	return real() == PLAIN ? 0 : __LINE__;
}

Test(sigmask, vfork_children)
{
	int line;

	change(SIG_SETMASK, T | PLAIN);
	line = target_child(as_a_vfork_child);
	cr_expect_eq(line, 0, "line %d", line);
	cr_expect_eq(seen(), T | PLAIN);
	change(SIG_SETMASK, 0);
}

/* A signal kept back for the program stays so, whatever else it changes. */
Test(sigmask, a_signal_that_is_pending)
{
	uint64_t mask;

	change(SIG_SETMASK, T);
	/* as signal_chain_deliver() leaves it */
	mask = real() | T;
	sys_sigprocmask(SIG_SETMASK, &mask, NULL);
	change(SIG_BLOCK, PLAIN | T);
	cr_expect_neq(real() & T, 0);
	cr_expect_eq(seen(), T | PLAIN);
	change(SIG_UNBLOCK, T);
	cr_expect_eq(real() & T, 0);
	cr_expect_eq(seen(), PLAIN);
	change(SIG_SETMASK, 0);
}

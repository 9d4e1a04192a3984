/*
 * Context: O.  Tests of core/runtime/life/seccomp_filter.c: what a filter
 * allows; the kernel is the judge.
 */
#include "filter.h"
#include "clock/cpu_timer.h"
#include "life/seccomp.h"
#include "target.h"
#include "thread/thread_slot.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct thread_slot *self;

static void
start(void)
{
	sigset_t ticks;

	target_init();
	config.size = 4u << 20;
	/* No tick may come: it would give slots to threads of Criterion's. */
	sigemptyset(&ticks);
	sigaddset(&ticks, virtual_signals.signal);
	sigaddset(&ticks, SIGPROF);
	sigprocmask(SIG_BLOCK, &ticks, NULL);
	self = target_slot();
}

static void
end(void)
{
	cpu_timer_stop(self);
	target_fini();
}

TestSuite(seccomp_filter, .init = start, .fini = end);

/* Does the kernel let a handler return under this filter? */
struct witness {
	_Atomic(int) ready, handled, returned;
};

static struct witness *witness;

static void
note_handled(int sig)
{
	(void)sig;
	atomic_store(&witness->handled, 1);
}

/* Not a system call from the filter to the end. */
static void
be_judged(const struct sock_fprog *program)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGUSR1, note_handled);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) != 0)
		_exit(99);
	atomic_store(&witness->ready, 1);
	while (atomic_load(&witness->handled) == 0)
		;
	atomic_store(&witness->returned, 1);
	for (;;)
		;
}

static bool
kernel_allows(const struct sock_fprog *program)
{
	int status = 0;
	pid_t pid;

	witness = mmap(NULL, sizeof *witness, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid = fork();
	if (pid == 0)
		be_judged(program);
	while (atomic_load(&witness->ready) == 0 &&
	    waitpid(pid, &status, WNOHANG) == 0)
		usleep(200);
	cr_assert_eq(status, 0, "the kernel takes no such filter");
	kill(pid, SIGUSR1);
	while (atomic_load(&witness->returned) == 0)
		if (waitpid(pid, &status, WNOHANG) == pid)
			return false;
		else
			usleep(200);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return true;
}

/* The clocks go on where the kernel lets them, else they stop. */
static void
decide(const char *what, const struct sock_fprog *program, bool want)
{
	uint64_t losses = target_loss(LOSS_FROZEN);
	bool runs;

	cpu_timer_stop(self);
	cr_assert_eq(cpu_timer_arm(self), 0);
	seccomp_freeze(program);
	runs = atomic_load(&self->coarse_clock.timer) != 0;
	cr_expect(atomic_load(&mon->frozen));
	cr_expect_eq(runs, want, "%s: %d", what, runs);
	seccomp_freeze_end(false);
	cr_expect_eq(target_loss(LOSS_FROZEN) - losses, !want, "%s", what);
	seccomp_freeze_end(true);
	cr_expect_not(atomic_load(&mon->frozen));
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0, "%s", what);
}

static void
judge(const char *what, struct sock_filter *filter, size_t n, bool want)
{
	struct sock_fprog program = {(unsigned short)n, filter};

	cr_assert_eq(kernel_allows(&program), want, "kernel: %s", what);
	decide(what, &program, want);
}

#define JUDGE(what, want, ...) \
	do { \
		struct sock_filter filter[] = {__VA_ARGS__}; \
		judge(what, filter, sizeof filter / sizeof *filter, want); \
	} while (0)

Test(seccomp_filter, actions)
{
	JUDGE("allow", true, YES);
	JUDGE("log", true, RET(LOG));
	JUDGE("kill", false, NO);
	JUDGE("kill the thread", false, RET(KILL_THREAD));
	JUDGE("trap", false, RET(TRAP));
}

/* Nobody knows what runs behind a call that should not return. */
Test(seccomp_filter, a_return_that_returns)
{
	struct sock_filter filter[] = {RET(ERRNO)};
	struct sock_fprog program = {1, filter};

	decide("errno", &program, false);
}

Test(seccomp_filter, lists)
{
	JUDGE("allowed", true, LD(nr), JEQ(SYS_read, 3, 0),
	    JEQ(SYS_write, 2, 0), JEQ(RETURN, 1, 0), NO, YES);
	JUDGE("not allowed", false, LD(nr), JEQ(SYS_read, 3, 0),
	    JEQ(SYS_write, 2, 0), JEQ(SYS_close, 1, 0), NO, YES);
	JUDGE("denied", false, LD(nr), JEQ(RETURN, 0, 1), NO, YES);
	JUDGE("others denied", true, LD(nr), JEQ(SYS_ptrace, 0, 1), NO, YES);
}

Test(seccomp_filter, architectures)
{
	JUDGE("checked", true, LD(arch), JEQ(ARCH, 1, 0), NO, LD(nr),
	    JEQ(RETURN, 0, 1), YES, NO);
	JUDGE("another one", false, LD(arch), JEQ(OTHER_ARCH, 1, 0), NO, YES);
	JUDGE("only others", true, LD(arch), JEQ(ARCH, 1, 0), NO, YES);
}

/* Halving, as libseccomp and chromium order their lists. */
Test(seccomp_filter, jumps)
{
	JUDGE("at least", true, LD(nr), JMP(BPF_JGE, RETURN, 0, 1), YES, NO);
	JUDGE("at least one more", false, LD(nr),
	    JMP(BPF_JGE, RETURN + 1, 0, 1), YES, NO);
	JUDGE("above one less", true, LD(nr), JMP(BPF_JGT, RETURN - 1, 0, 1),
	    YES, NO);
	JUDGE("above", false, LD(nr), JMP(BPF_JGT, RETURN, 0, 1), YES, NO);
	JUDGE("a bit", true, LD(nr), JMP(BPF_JSET, RETURN & -RETURN, 0, 1),
	    YES, NO);
	JUDGE("other bits", false, LD(nr), JMP(BPF_JSET, ~RETURN, 0, 1), YES,
	    NO);
	JUDGE("far", true, BPF_JUMP(BPF_JMP | BPF_JA, 2, 0, 0), NO, NO, YES,
	    NO);
	JUDGE("against x", true, BPF_STMT(BPF_LDX | BPF_IMM, RETURN), LD(nr),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1), YES, NO);
}

/* The kernel ends a filter that divides by 0, and kills. */
Test(seccomp_filter, division_by_zero)
{
	JUDGE("div", false, BPF_STMT(BPF_LDX | BPF_IMM, 0), LD(nr),
	    ALU_X(BPF_DIV), YES);
}

Test(seccomp_filter, arithmetic)
{
	JUDGE("add", true, LD(nr), ALU(BPF_ADD, 5), JEQ(RETURN + 5, 0, 1),
	    YES, NO);
	JUDGE("sub", true, LD(nr), ALU(BPF_SUB, RETURN), JEQ(0, 0, 1), YES,
	    NO);
	JUDGE("mul", true, LD(nr), ALU(BPF_MUL, 3), JEQ(3 * RETURN, 0, 1),
	    YES, NO);
	JUDGE("div", true, LD(nr), ALU(BPF_DIV, 2), JEQ(RETURN / 2, 0, 1),
	    YES, NO);
	JUDGE("and", true, LD(nr), ALU(BPF_AND, 6), JEQ(RETURN & 6, 0, 1),
	    YES, NO);
	JUDGE("or", true, LD(nr), ALU(BPF_OR, 0x600), JEQ(RETURN | 0x600, 0,
	    1), YES, NO);
	JUDGE("xor", true, LD(nr), ALU(BPF_XOR, RETURN), JEQ(0, 0, 1), YES,
	    NO);
	JUDGE("shifts", true, LD(nr), ALU(BPF_LSH, 4), ALU(BPF_RSH, 3),
	    JEQ(RETURN * 2, 0, 1), YES, NO);
	JUDGE("neg", true, LD(nr), BPF_STMT(BPF_ALU | BPF_NEG, 0),
	    JEQ(-RETURN, 0, 1), YES, NO);
	JUDGE("with x", true, BPF_STMT(BPF_LDX | BPF_IMM, 7), LD(nr),
	    ALU_X(BPF_ADD), JEQ(RETURN + 7, 0, 1), YES, NO);
}

Test(seccomp_filter, registers)
{
	JUDGE("scratch", true, LD(nr), BPF_STMT(BPF_ST, 15),
	    BPF_STMT(BPF_LD | BPF_IMM, 1), BPF_STMT(BPF_LD | BPF_MEM, 15),
	    JEQ(RETURN, 0, 1), YES, NO);
	JUDGE("to x and back", true, LD(nr), BPF_STMT(BPF_MISC | BPF_TAX, 0),
	    BPF_STMT(BPF_LD | BPF_IMM, 1), BPF_STMT(BPF_MISC | BPF_TXA, 0),
	    JEQ(RETURN, 0, 1), YES, NO);
	JUDGE("x over scratch", true, LD(nr),
	    BPF_STMT(BPF_MISC | BPF_TAX, 0), BPF_STMT(BPF_STX, 0),
	    BPF_STMT(BPF_LD | BPF_IMM, 1), BPF_STMT(BPF_LD | BPF_MEM, 0),
	    JEQ(RETURN, 0, 1), YES, NO);
	JUDGE("length", true, BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
	    JEQ(sizeof(struct seccomp_data), 0, 1), YES, NO);
	JUDGE("answer in a", true, BPF_STMT(BPF_LD | BPF_IMM,
	    SECCOMP_RET_ALLOW), BPF_STMT(BPF_RET | BPF_A, 0));
	JUDGE("no in a", false, LD(nr), BPF_STMT(BPF_RET | BPF_A, 0));
}

/* The kernel refuses these; they may still stop the clocks, but not us. */
static void
survives(struct sock_filter *filter, unsigned short n)
{
	struct sock_fprog program = {n, filter};

	cpu_timer_stop(self);
	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_expect(seccomp_freeze(&program));
	cr_expect_eq(atomic_load(&self->coarse_clock.timer), 0);
	seccomp_freeze_end(true);
	cr_expect_neq(atomic_load(&self->coarse_clock.timer), 0);
	cr_expect_eq(target_loss(LOSS_FROZEN), 0, "nothing came of it");
}

Test(seccomp_filter, what_is_no_filter)
{
	struct sock_filter outside[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 64), YES};
	struct sock_filter odd[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), YES};
	struct sock_filter packet[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_IND, 0), YES};
	struct sock_filter endless[] = {LD(nr)};
	struct sock_filter far[] = {
		BPF_JUMP(BPF_JMP | BPF_JA, UINT32_MAX - 5, 0, 0), YES};
	struct sock_filter zero[] = {ALU(BPF_DIV, 0), LD(nr), LD(nr)};

	survives(outside, 2);
	survives(odd, 2);
	survives(packet, 2);
	survives(endless, 1);
	survives(far, 2);
	survives(zero, 3);
}

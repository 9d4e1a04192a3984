/* Context: O.  Tests of core/hot/unwind/stack_walk.c: one step at a time. */
#include "mapped.h"
#include "module/modules.h"
#include "target.h"
#include "thread/signal_chain.h"
#include "unwind/stack_walk.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

static void
begin(void)
{
	target_init();
	target_birth();
	config.stack = FORMAT_STACK_AUTO;
	modules_refresh();
}

TestSuite(stack_walk, .init = begin, .fini = target_fini);

/* Makes frames of generated code, each with a frame pointer; 0 ends them. */
static uint64_t
end_of_frames(struct thread_slot *s, uintptr_t *at, uintptr_t code,
    uintptr_t last)
{
	uintptr_t words[8] = {
		(uintptr_t)(at + 2), code + 32,
		(uintptr_t)(at + 4), code + 48,
		0, last,
	};
	struct stack_walk_start from = {
		.pc = code + 16, .sp = (uintptr_t)at, .fp = (uintptr_t)at,
		.called = true, .registers = true,
	};
	uint64_t frames[16];
	uintptr_t unknown;
	unsigned n;

	memcpy(at, words, sizeof words);
	n = stack_walk(s, &from, frames, 16, &unknown);
	cr_assert_gt(n, 1);
	cr_expect_eq(frames[0], (code + 32) | STACK_WALK_GUESSED);
	cr_expect_eq(frames[1], (code + 48) | STACK_WALK_GUESSED);
	return frames[n - 1];
}

/*
 * On a stack that libc has begun, a chain of frame pointers that ends outside
 * libc has met a 0 by chance.  A stack of the program's own may end so.
 */
Test(stack_walk, ends_of_frame_pointers)
{
	static uintptr_t heap[8];
	uintptr_t stack[8];
	struct thread_slot *s = target_slot();
	const uintptr_t code = (uintptr_t)mapped_page(-1, MAP_PRIVATE |
	    MAP_ANONYMOUS);

	modules_refresh();
	s->native = true;
	s->stack.low = (uintptr_t)stack;
	s->stack.high = (uintptr_t)(stack + 8);
	for (unsigned i = 0; i < 2; i++) {
		const uintptr_t last = i == 0 ? code + 64 : 0;

		cr_expect_eq(end_of_frames(s, stack, code, last),
		    STACK_WALK_CUT | FORMAT_CUT_TABLE, "%u", i);
		cr_expect_eq(end_of_frames(s, heap, code,
		    last) & STACK_WALK_CUT, 0, "%u", i);
	}
}

#ifdef __x86_64__

/*
 * Code and tables that gcc emits for functions that align their stack: with r10
 * and, if that is taken, with r13 and another saved register.
 */
void walk_align_r10(void), walk_align_r13(void), walk_caller(void);
extern const char walk_align_r10_end[], walk_align_r13_end[];

__asm__(
"	.text\n"
"	.globl walk_align_r10, walk_align_r10_end\n"
"	.type walk_align_r10, @function\n"
"walk_align_r10:\n"
"	.cfi_startproc\n"
"	leaq 8(%rsp), %r10\n"
"	.cfi_def_cfa 10, 0\n"
"	andq $-32, %rsp\n"
"	pushq -8(%r10)\n"
"	pushq %rbp\n"
"	movq %rsp, %rbp\n"
"	.cfi_escape 0x10,0x6,0x2,0x76,0\n"
"	pushq %r10\n"
"	.cfi_escape 0xf,0x3,0x76,0x78,0x6\n"
"	subq $72, %rsp\n"
"	nop\n"
"	addq $72, %rsp\n"
"	popq %r10\n"
"	.cfi_def_cfa 10, 0\n"
"	popq %rbp\n"
"	leaq -8(%r10), %rsp\n"
"	.cfi_def_cfa 7, 8\n"
"	ret\n"
"	.cfi_endproc\n"
"walk_align_r10_end:\n"
"	.size walk_align_r10, . - walk_align_r10\n"
"	.globl walk_align_r13, walk_align_r13_end\n"
"	.type walk_align_r13, @function\n"
"walk_align_r13:\n"
"	.cfi_startproc\n"
"	pushq %r13\n"
"	.cfi_def_cfa_offset 16\n"
"	.cfi_offset 13, -16\n"
"	leaq 16(%rsp), %r13\n"
"	.cfi_def_cfa 13, 0\n"
"	andq $-64, %rsp\n"
"	pushq -8(%r13)\n"
"	pushq %rbp\n"
"	movq %rsp, %rbp\n"
"	.cfi_escape 0x10,0x6,0x2,0x76,0\n"
"	pushq %r13\n"
"	.cfi_escape 0xf,0x3,0x76,0x78,0x6\n"
"	pushq %rbx\n"
"	.cfi_escape 0x10,0x3,0x2,0x76,0x70\n"
"	movq $12, %rbx\n"
"	popq %rbx\n"
"	popq %r13\n"
"	.cfi_def_cfa 13, 0\n"
"	popq %rbp\n"
"	leaq -16(%r13), %rsp\n"
"	.cfi_def_cfa 7, 16\n"
"	popq %r13\n"
"	.cfi_def_cfa 7, 8\n"
"	ret\n"
"	.cfi_endproc\n"
"walk_align_r13_end:\n"
"	.size walk_align_r13, . - walk_align_r13\n"
/* The caller has a frame that is addressed by rbp. */
"	.globl walk_caller\n"
"	.type walk_caller, @function\n"
"walk_caller:\n"
"	.cfi_startproc\n"
"	pushq %rbp\n"
"	.cfi_def_cfa_offset 16\n"
"	.cfi_offset 6, -16\n"
"	movq %rsp, %rbp\n"
"	.cfi_def_cfa_register 6\n"
"	subq $256, %rsp\n"
"	call *%rdi\n"
"	leave\n"
"	.cfi_def_cfa 7, 8\n"
"	ret\n"
"	.cfi_endproc\n"
"	.size walk_caller, . - walk_caller\n"
);

static struct thread_slot *slot;
static uintptr_t low, high, back;
static unsigned steps, right;

static void
step(int sig, siginfo_t *si, void *context)
{
	const ucontext_t *uc = context;
	struct stack_walk_start from;
	uint64_t frames[64];
	uintptr_t unknown;
	unsigned n;

	(void)sig;
	(void)si;
	stack_walk_start_tick(&from, uc);
	if (from.pc < low || from.pc >= high)
		return;
	n = stack_walk(slot, &from, frames, 64, &unknown);
	steps++;
	right += n > 1 && frames[1] == back;
}

/*
 * Walks from each instruction of the function: finds its caller, and the
 * caller's caller.
 */
static void
step_through(void (*fn)(void), const char *end)
{
	struct sigaction act = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};

	slot = target_slot();
	low = (uintptr_t)fn;
	high = (uintptr_t)end;
	steps = right = 0;
	sigaction(SIGTRAP, &act, NULL);
	__asm__ volatile(
	    "	leaq 1f(%%rip), %%rax\n"
	    "	movq %%rax, %0\n"
	    "	subq $128, %%rsp\n"
	    "	pushfq\n"
	    "	orl $0x100, (%%rsp)\n"
	    "	popfq\n"
	    "	call walk_caller\n"
	    "1:	pushfq\n"
	    "	andl $0xfffffeff, (%%rsp)\n"
	    "	popfq\n"
	    "	addq $128, %%rsp\n"
	    : "=m" (back), "+D" (fn) :
	    : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11",
	    "r13", "memory", "cc");
	cr_expect_gt(steps, 12);
	cr_expect_eq(right, steps, "%u of %u", right, steps);
}

Test(stack_walk, out_of_functions_that_align_their_stack)
{
	step_through(walk_align_r10, walk_align_r10_end);
	step_through(walk_align_r13, walk_align_r13_end);
}

#endif

/* Loads from memory that is not there. */
static void *nothing;
static int loaded;

static void
load(void *unused)
{
	(void)unused;
	loaded += *(volatile int *)nothing;
	loaded++;
}

static void
take_away(void)
{
	nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	    0);
	cr_assert_neq(nothing, MAP_FAILED);
	signal_chain_guard_segv();
}

Test(stack_walk, ends_at_a_fault)
{
	struct thread_slot *s = target_slot();
	int i;

	take_away();
	for (i = 0; i < 3; i++) {
		cr_expect_not(stack_walk_guard(&s->tick.back, load, NULL));
		cr_expect_null(s->tick.back);
	}
	cr_expect_eq(loaded, 0);
	mprotect(nothing, 4096, PROT_READ);
	cr_expect(stack_walk_guard(&s->tick.back, load, NULL));
	cr_expect_eq(loaded, 1);
}

/* The helper of clock=wall has no TLS of its own, and so no slot. */
Test(stack_walk, of_the_helper_ends_at_a_fault)
{
	take_away();
	thread_slot_self = (struct thread_slot *)nothing;
	cr_expect_not(stack_walk_guard(&mon->wall_back, load, NULL));
	thread_slot_self = NULL;
	cr_expect_null(mon->wall_back);
	cr_expect_eq(loaded, 0);
}

/* A handler that left a walk by siglongjmp() has left its place behind. */
Test(stack_walk, that_was_left_takes_no_fault)
{
	struct thread_slot *s = target_slot();
	ucontext_t here;

	getcontext(&here);
	s->tick.back = (void **)(arch_sp(&here) + 65536);
	cr_expect_not(stack_walk_catch_fault(&here));
	s->tick.back = (void **)(arch_sp(&here) - 64);
	cr_expect_not(stack_walk_catch_fault(&here));
	s->tick.back = NULL;
	cr_expect_not(stack_walk_catch_fault(&here));
}

Test(stack_walk, words_that_are_gone)
{
	static const uintptr_t word = 5;

	take_away();
	cr_expect_eq(arch_load_or_zero((uintptr_t)nothing), 0);
	cr_expect_eq(arch_load_or_zero((uintptr_t)&word), 5);
}

/* Where a walk continues after a fault: by the slot, and by the helper. */
static struct thread_slot *walker;
static void *copied, *own_back, *wall_back;

static void
look_at_fault(int sig)
{
	(void)sig;
	own_back = walker->tick.back;
	wall_back = mon->wall_back;
	mprotect(copied, 4096, PROT_READ);
}

static void
walk_copy(bool asleep)
{
	static uintptr_t at[8];
	const uintptr_t code = (uintptr_t)mapped_page(-1, MAP_PRIVATE |
	    MAP_ANONYMOUS);
	struct stack_walk_start from = {
		.pc = code + 16, .sp = (uintptr_t)at, .fp = (uintptr_t)at,
		.called = true, .registers = true,
		.stack = copied, .words = 512,
		.asleep = asleep,
	};
	uint64_t frames[16];
	uintptr_t unknown;

	modules_refresh();
	own_back = wall_back = NULL;
	mprotect(copied, 4096, PROT_NONE);
	stack_walk(walker, &from, frames, 16, &unknown);
}

/* Only the helper of clock=wall uses its own: ticks of kernel=detail do not. */
Test(stack_walk, of_copies_by_the_thread_and_by_the_helper)
{
	struct sigaction act = {.sa_handler = look_at_fault};

	walker = target_slot();
	copied = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	    0);
	cr_assert_neq(copied, MAP_FAILED);
	sigaction(SIGSEGV, &act, NULL);
	walk_copy(false);
	cr_expect_not_null(own_back);
	cr_expect_null(wall_back);
	walk_copy(true);
	cr_expect_null(own_back);
	cr_expect_not_null(wall_back);
}

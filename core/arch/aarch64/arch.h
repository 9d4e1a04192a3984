/*
 * Context: S.  aarch64: raw system calls, the registers of a ucontext, loads
 * that may fail, other stacks, and threads that libc does not know; for all of
 * libmon.so, in any thread and any signal handler.  x86_64/arch.h declares the
 * same.
 */
#ifndef ARCH_H
#define ARCH_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* The processor, as e_machine of ELF files has it. */
#define ARCH_MACHINE	EM_AARCH64
#define ARCH_MIN_SIGSTACK	5120u /* MINSIGSTKSZ: the kernel refuses less */

/*
 * The first Linux whose CPU timers expire in task work, on the way back to user
 * mode, so that they never interrupt a call.  CONFIG_POSIX_CPU_TIMERS_TASK_WORK
 * is set in Debian's 6.1, which interrupted none of 36 kinds of calls; older
 * ones were not tried.
 */
#define ARCH_TASK_WORK_MAJOR	6
#define ARCH_TASK_WORK_MINOR	1

/*
 * Makes system call `nr` with six arguments, without libc or errno.  Returns
 * its result, or -errno.  A caller makes none in a frozen process.
 */
static inline long
arch_syscall6(long nr, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
	    : "+r"(x0)
	    : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
	    : "memory");
	return x0;
}

/*
 * arch_load_or_zero() loads the word at that address, or returns 0 if its page
 * is not there and our handler of SIGSEGV is in force (else the fault is the
 * program's).  Each load adds a struct arch_load_fixup to the section
 * mon_loads: after a fault, stack_walk_catch_fault() finds it there, and
 * continues behind the load.  arch_load_fixup_address() returns the address
 * that a field of it means.
 */
struct arch_load_fixup {
	int32_t load, behind; /* addresses, relative to the fields themselves */
};

static inline uintptr_t
arch_load_fixup_address(const int32_t *field)
{
	return (uintptr_t)field + (uintptr_t)(intptr_t)*field;
}

static inline uintptr_t
arch_load_or_zero(uintptr_t at)
{
	uintptr_t value = 0;

	__asm__("1:	ldr	%[value], [%[at]]\n"
	    "2:\n"
	    "	.pushsection mon_loads, \"a\"\n"
	    "	.balign 4\n"
	    "	.long 1b - .\n"
	    "	.long 2b - .\n"
	    "	.popsection"
	    : [value] "+&r"(value)
	    : [at] "r"(at), "m"(*(const uintptr_t *)at));
	return value;
}

/*
 * Calls fn(arg) on another stack, which ends at `top`, a multiple of 16.  The
 * caller has that stack to itself, and signals blocked if a handler of the
 * program could use it.
 */
static inline void
arch_call_on_stack(void *top, void (*fn)(void *), void *arg)
{
	register void *x0 __asm__("x0") = arg;
	register void *x1 __asm__("x1") = (void *)fn;
	register void *x2 __asm__("x2") = top;

	__asm__ volatile("mov x19, sp\n"
	    "	mov sp, x2\n"
	    "	blr x1\n"
	    "	mov sp, x19"
	    : "+r"(x0), "+r"(x1), "+r"(x2)
	    :
	    : "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
	    "x13", "x14", "x15", "x16", "x17", "x19", "x30", "cc", "memory");
}

/*
 * arch_pc() and arch_sp() return the program counter and the stack pointer of
 * the interrupted code.
 */
static inline uintptr_t
arch_pc(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.pc;
}

static inline uintptr_t
arch_sp(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.sp;
}

/*
 * Returns the bytes of a signal's frame in this process; largest: the bytes of
 * the largest frame that the processor can have.  Here all processes have that.
 */
static inline unsigned
arch_signal_frame_bytes(unsigned largest)
{
	return largest;
}

/*
 * arch_thread_pointer() returns the calling thread's pointer to its
 * thread-local storage, without any access to that storage.  An instruction can
 * always read the register here, so `direct` has no effect, and
 * ARCH_HWCAP_THREAD_PTR is met by any AT_HWCAP2.
 */
#define ARCH_HWCAP_THREAD_PTR	(~0u)

static inline uintptr_t
arch_thread_pointer(bool direct)
{
	uintptr_t pointer;

	(void)direct;
	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
	return pointer;
}

/*
 * Returns the address behind the system call instruction that pc belongs to: pc
 * if the call has returned, pc + 4 if the kernel backed up to restart it; 0 if
 * pc is at no system call.  low, high: limits of the code that may be read.
 * `svc #0` is d4000001, little-endian.
 */
static inline uintptr_t
arch_syscall_end(uintptr_t pc, uintptr_t low, uintptr_t high)
{
	const uint32_t *p = (const uint32_t *)pc;

	if (pc & 3)
		return 0;
	if (pc >= low + 4 && p[-1] == 0xd4000001u)
		return pc;
	if (pc + 4 <= high && p[0] == 0xd4000001u)
		return pc + 4;
	return 0;
}

/*
 * Starts a thread in our address space that libc does not know: it runs fn(arg)
 * on the stack that ends at `top`, and ends.  flags: those of clone(2).  When
 * it ends, the kernel sets *word to zero and wakes a futex on it, if `flags`
 * say so.  The thread has the caller's signal mask and TLS, which fn may not
 * use.  Returns the thread's id or -errno.  wall_sampler.c calls it.
 */
static inline long
arch_clone_thread(unsigned long flags, void *top, int *word, void (*fn)(void *),
    void *arg)
{
	void **sp = (void **)((uintptr_t)top & ~(uintptr_t)15);
	register long x8 __asm__("x8") = 220;	/* clone */
	register long x0 __asm__("x0") = (long)flags;
	register long x1 __asm__("x1");
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = (long)word;

	*--sp = arg;
	*--sp = (void *)fn;
	x1 = (long)sp;
	__asm__ volatile("svc #0\n"
	    "	cbnz x0, 1f\n"
	    "	mov x29, xzr\n"
	    "	ldp x9, x0, [sp], #16\n"
	    "	blr x9\n"
	    "	mov x0, xzr\n"
	    "	mov x8, #93\n"		/* exit */
	    "	svc #0\n"
	    "1:"
	    : "+r"(x0)
	    : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
	    : "x9", "x30", "memory");
	return x0;
}

/*
 * Runs fn(arg) in a thread as arch_clone_thread() starts, but on the caller's
 * own stack; there is no red zone.  `flags` have CLONE_CHILD_CLEARTID.  Waits
 * until the thread is done with that stack.  The caller waits in futex(2)
 * without touching its stack, so a stop signal can stop it there; CLONE_VFORK
 * would make it wait where no stop reaches it.  The caller has all signals
 * blocked, because a handler would run on the same stack.  *word is not zero
 * before and zero after.  private_fds.c calls it.  Returns the thread's id or
 * -errno.
 */
static inline long
arch_clone_and_wait(unsigned long flags, int *word, void (*fn)(void *),
    void *arg)
{
	register long x8 __asm__("x8") = 220;	/* clone */
	register long x0 __asm__("x0") = (long)flags;
	register long x1 __asm__("x1") = 0;
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = (long)word;
	register long x19 __asm__("x19") = (long)fn;
	register long x20 __asm__("x20") = (long)arg;
	register long x21 __asm__("x21") = (long)word;
	register long x22 __asm__("x22");

	__asm__ volatile("svc #0\n"
	    "	mov x22, x0\n"
	    "	tbnz x0, #63, 2f\n"
	    "	cbnz x0, 1f\n"
	    "	mov x0, x20\n"
	    "	blr x19\n"
	    "	mov x0, xzr\n"
	    "	mov x8, #93\n"		/* exit */
	    "	svc #0\n"
	    "1:	ldr w2, [x21]\n"
	    "	cbz w2, 2f\n"
	    "	mov x0, x21\n"
	    "	mov x1, xzr\n"		/* FUTEX_WAIT */
	    "	mov x3, xzr\n"
	    "	mov x8, #98\n"		/* futex */
	    "	svc #0\n"
	    "	b 1b\n"
	    "2:"
	    : "=&r"(x22), "+r"(x0), "+r"(x8), "+r"(x1), "+r"(x2), "+r"(x3)
	    : "r"(x4), "r"(x19), "r"(x20), "r"(x21)
	    : "x30", "memory", "cc");
	return x22;
}

/* Tells the processor that the thread waits in a loop. */
static inline void
arch_cpu_relax(void)
{
	__asm__ volatile("yield");
}

/*
 * Replaces the pair of words at `at`, a multiple of 16, by new_first and
 * new_second in one atomic step, if it is {first, second}.  Returns whether it
 * was.
 */
static inline bool
arch_cmpxchg_pair(uint64_t *at, uint64_t first, uint64_t second,
    uint64_t new_first, uint64_t new_second)
{
	uint64_t a, b;
	uint32_t busy;

	do {
		__asm__ volatile("ldaxp %0, %1, %2"
		    : "=&r"(a), "=&r"(b)
		    : "Q"(*(struct { uint64_t w[2]; } *)at)
		    : "memory");
		if (a != first || b != second) {
			__asm__ volatile("clrex" ::: "memory");
			return false;
		}
		__asm__ volatile("stlxp %w0, %2, %3, %1"
		    : "=&r"(busy), "=Q"(*(struct { uint64_t w[2]; } *)at)
		    : "r"(new_first), "r"(new_second)
		    : "memory");
	} while (busy != 0);
	return true;
}

#endif

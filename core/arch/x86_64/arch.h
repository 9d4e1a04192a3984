/*
 * Context: S.  x86-64: raw system calls, the registers of a ucontext, loads
 * that may fail, other stacks, and threads that libc does not know; for all of
 * libmon.so, in any thread and any signal handler.  aarch64/arch.h declares the
 * same.
 */
#ifndef ARCH_H
#define ARCH_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* The processor, as e_machine of ELF files has it. */
#define ARCH_MACHINE	EM_X86_64
/* MINSIGSTKSZ: the kernel refuses less */
#define ARCH_MIN_SIGSTACK	2048u

/*
 * The first Linux whose CPU timers expire in task work, on the way back to user
 * mode, so that they never interrupt a call (doc/design/clocks.md): 5.10 on
 * x86.
 */
#define ARCH_TASK_WORK_MAJOR	5
#define ARCH_TASK_WORK_MINOR	10

/*
 * Makes system call `nr` with six arguments, without libc or errno.  Returns
 * its result, or -errno.  A caller makes none in a frozen process.
 */
static inline long
arch_syscall6(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
	    : "=a"(ret)
	    : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	    : "rcx", "r11", "memory");
	return ret;
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

	__asm__("1:	movq	(%[at]), %[value]\n"
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
	__asm__ volatile(
	    "movq	%%rsp, %%rbx\n"
	    "	movq	%[top], %%rsp\n"
	    "	callq	*%[fn]\n"
	    "	movq	%%rbx, %%rsp"
	    : "+D"(arg), [fn] "+a"(fn)
	    : [top] "r"(top)
	    : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc",
	    "memory");
}

/*
 * arch_pc() and arch_sp() return the program counter and the stack pointer of
 * the interrupted code.
 */
static inline uintptr_t
arch_pc(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
}

static inline uintptr_t
arch_sp(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.gregs[REG_RSP];
}

/*
 * Returns the bytes of a signal's frame in this process; largest: the bytes of
 * the largest frame that the processor can have.  A processor with AMX has 8
 * KiB of tiles, which `largest` includes; a process has them in its frames only
 * after it has asked for them.  Linux: asm/prctl.h.
 */
static inline unsigned
arch_signal_frame_bytes(unsigned largest)
{
	enum { NR_ARCH_PRCTL = 158, GET_SUPPORTED = 0x1021,
	    GET_PERMITTED = 0x1022, TILES = 18, TILE_BYTES = 8192 };
	uint64_t can = 0, may = 0;

	if (largest <= TILE_BYTES ||
	    arch_syscall6(NR_ARCH_PRCTL, GET_SUPPORTED, (long)&can, 0, 0, 0,
	    0) != 0 ||
	    arch_syscall6(NR_ARCH_PRCTL, GET_PERMITTED, (long)&may, 0, 0, 0,
	    0) != 0)
		return largest;
	return (can & ~may & 1u << TILES) != 0 ? largest - TILE_BYTES : largest;
}

/*
 * arch_thread_pointer() returns the calling thread's pointer to its
 * thread-local storage, without any access to that storage.  direct: the kernel
 * lets programs read it by an instruction (Linux 5.9; ARCH_HWCAP_THREAD_PTR in
 * AT_HWCAP2), which saves 0.1 us.
 */
#define ARCH_HWCAP_THREAD_PTR	2u

static inline uintptr_t
arch_thread_pointer(bool direct)
{
	enum { NR_ARCH_PRCTL = 158, GET_FS = 0x1003 };
	uintptr_t pointer = 0;

	if (direct)
		__asm__ volatile("rdfsbase %0" : "=r"(pointer));
	else
		arch_syscall6(NR_ARCH_PRCTL, GET_FS, (long)&pointer, 0, 0, 0,
		    0);
	return pointer;
}

/*
 * Returns the address behind the system call instruction that pc belongs to: pc
 * if the call has returned, pc + 2 if the kernel backed up to restart it; 0 if
 * pc is at no system call.  low, high: limits of the code that may be read.
 */
static inline uintptr_t
arch_syscall_end(uintptr_t pc, uintptr_t low, uintptr_t high)
{
	const unsigned char *p = (const unsigned char *)pc;

	if (pc >= low + 2 && p[-2] == 0x0f && p[-1] == 0x05)
		return pc;
	if (pc + 2 <= high && p[0] == 0x0f && p[1] == 0x05)
		return pc + 2;
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
	register long r10 __asm__("r10") = (long)word;
	register long r8 __asm__("r8") = 0;
	long ret;

	*--sp = arg;
	*--sp = (void *)fn;
	__asm__ volatile("syscall\n"
	    "	test %%rax, %%rax\n"
	    "	jnz 1f\n"
	    "	xor %%ebp, %%ebp\n"
	    "	pop %%rax\n"
	    "	pop %%rdi\n"
	    "	call *%%rax\n"
	    "	mov %[exit], %%eax\n"
	    "	xor %%edi, %%edi\n"
	    "	syscall\n"
	    "1:"
	    : "=a"(ret)
	    : "a"(56L /* clone */), "D"(flags), "S"(sp), "d"(0L), "r"(r10),
	      "r"(r8), [exit] "i"(60)
	    : "rcx", "r11", "memory");
	return ret;
}

/*
 * Runs fn(arg) in a thread as arch_clone_thread() starts, but on the caller's
 * own stack, below the red zone.  `flags` have CLONE_CHILD_CLEARTID.  Waits
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
	register long r10 __asm__("r10") = (long)word;
	register long r8 __asm__("r8") = 0;
	register void *r14 __asm__("r14") = arg;
	register int *r13 __asm__("r13") = word;
	register long r12 __asm__("r12");
	long sp = 0;

	__asm__ volatile("lea -128(%%rsp), %%rsp\n"
	    "	mov %[clone], %%eax\n"
	    "	xor %%edx, %%edx\n"
	    "	syscall\n"
	    "	mov %%rax, %%r12\n"
	    "	test %%rax, %%rax\n"
	    "	js 2f\n"
	    "	jnz 1f\n"
	    "	and $-16, %%rsp\n"
	    "	mov %%r14, %%rdi\n"
	    "	call *%[fn]\n"
	    "	mov %[exit], %%eax\n"
	    "	xor %%edi, %%edi\n"
	    "	syscall\n"
	    "1:	mov (%%r13), %%edx\n"
	    "	test %%edx, %%edx\n"
	    "	jz 2f\n"
	    "	mov %%r13, %%rdi\n"
	    "	xor %%esi, %%esi\n"	/* FUTEX_WAIT */
	    "	xor %%r10d, %%r10d\n"
	    "	mov %[futex], %%eax\n"
	    "	syscall\n"
	    "	jmp 1b\n"
	    "2:	lea 128(%%rsp), %%rsp"
	    : "=&r"(r12), "+D"(flags), "+S"(sp), "+r"(r10)
	    : "r"(r8), [fn] "b"(fn), "r"(r14), "r"(r13), [clone] "i"(56),
	      [exit] "i"(60), [futex] "i"(202)
	    : "rax", "rdx", "rcx", "r11", "memory", "cc");
	return r12;
}

/* Tells the processor that the thread waits in a loop. */
static inline void
arch_cpu_relax(void)
{
	__asm__ volatile("pause");
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
	bool done;

	__asm__ volatile("lock cmpxchg16b %1"
	    : "=@ccz"(done), "+m"(*(struct { uint64_t w[2]; } *)at),
	    "+a"(first), "+d"(second)
	    : "b"(new_first), "c"(new_second)
	    : "memory");
	return done;
}

#endif

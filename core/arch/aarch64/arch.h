/* Context: S.  aarch64: raw system calls and the registers of a ucontext. */
#ifndef ARCH_H
#define ARCH_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define ARCH_MACHINE	EM_AARCH64
#define ARCH_MIN_SIGSTACK	5120u	/* as in x86_64/arch.h */

/*
 * CPU timers expire in task work: CONFIG_POSIX_CPU_TIMERS_TASK_WORK of Debian's
 * 6.1, which interrupted none of 36 kinds of calls; older ones were not tried.
 */
#define ARCH_TASK_WORK_MAJOR	6
#define ARCH_TASK_WORK_MINOR	1

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
 * Loads the word at that address, which may be on a page that is not there: the
 * handler of the fault then continues behind the load
 * (stack_walk_catch_fault()), and the result is 0.  Each load adds a row to the
 * section mon_loads.
 */
struct arch_load_fixup {
	int32_t load, behind;	/* relative to the fields */
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

/* As in x86_64/arch.h. */
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

/* Bytes of a signal's frame in this process, of the `largest` that there is. */
static inline unsigned
arch_signal_frame_bytes(unsigned largest)
{
	return largest;
}

/*
 * See x86_64/arch.h.  An instruction can always read the register here, so
 * `direct` has no effect.
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

/* As in x86_64/arch.h; `svc #0` is d4000001, little-endian. */
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

/* As in x86_64/arch.h. */
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

/* As in x86_64/arch.h; there is no red zone. */
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

static inline void
arch_cpu_relax(void)
{
	__asm__ volatile("yield");
}

/*
 * A pair of words, 16 bytes aligned, to others if it is as expected, at once.
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

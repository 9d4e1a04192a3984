/* Context: S.  x86-64: raw system calls and the registers of a ucontext. */
#ifndef ARCH_H
#define ARCH_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define ARCH_MACHINE	EM_X86_64

/*
 * From Linux 5.10 x86 expires CPU timers in task work, on the way back to user
 * mode: they never interrupt a call (doc/internals.md, clocks).
 */
#define ARCH_TASK_WORK_MAJOR	5
#define ARCH_TASK_WORK_MINOR	10

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
 * The address behind the system call instruction that pc belongs to: pc itself
 * when the call has returned, pc + 2 when the kernel backed up to restart it.
 * 0: pc is not at a call.  low: lowest address that may be read.
 */
static inline uintptr_t
arch_call_end(uintptr_t pc, uintptr_t low, uintptr_t high)
{
	const unsigned char *p = (const unsigned char *)pc;

	if (pc >= low + 2 && p[-2] == 0x0f && p[-1] == 0x05)
		return pc;
	if (pc + 2 <= high && p[0] == 0x0f && p[1] == 0x05)
		return pc + 2;
	return 0;
}

static inline void
arch_pause(void)
{
	__asm__ volatile("pause");
}

#endif

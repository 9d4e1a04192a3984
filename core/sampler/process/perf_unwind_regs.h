/*
 * Context: O.  Maps the register numbers of libunwind to those in the kernel's
 * samples, for each processor.  For perf_unwind.c alone.
 */
#ifndef PERF_UNWIND_REGS_H
#define PERF_UNWIND_REGS_H

#include <asm/perf_regs.h>
#include <libunwind.h>
#include <stdint.h>

#if defined(__x86_64__)

/*
 * Registers to ask for, ax bx cx dx si di bp sp ip and r8 to r15; their number;
 * the index of the stack pointer among them.
 */
#define PERF_UNWIND_REGS	(0x1ffull | 0xffull << PERF_REG_X86_R8)
#define PERF_UNWIND_REG_COUNT 17u
#define PERF_UNWIND_SP_INDEX	PERF_REG_X86_SP

/*
 * Returns the kernel's number of a register of libunwind; 64 if there is none.
 */
static inline unsigned
perf_unwind_reg(unw_regnum_t number)
{
	static const unsigned char bits[] = {
		[UNW_X86_64_RAX] = PERF_REG_X86_AX,
		[UNW_X86_64_RDX] = PERF_REG_X86_DX,
		[UNW_X86_64_RCX] = PERF_REG_X86_CX,
		[UNW_X86_64_RBX] = PERF_REG_X86_BX,
		[UNW_X86_64_RSI] = PERF_REG_X86_SI,
		[UNW_X86_64_RDI] = PERF_REG_X86_DI,
		[UNW_X86_64_RBP] = PERF_REG_X86_BP,
		[UNW_X86_64_RSP] = PERF_REG_X86_SP,
		[UNW_X86_64_R8] = PERF_REG_X86_R8,
		[UNW_X86_64_R9] = PERF_REG_X86_R9,
		[UNW_X86_64_R10] = PERF_REG_X86_R10,
		[UNW_X86_64_R11] = PERF_REG_X86_R11,
		[UNW_X86_64_R12] = PERF_REG_X86_R12,
		[UNW_X86_64_R13] = PERF_REG_X86_R13,
		[UNW_X86_64_R14] = PERF_REG_X86_R14,
		[UNW_X86_64_R15] = PERF_REG_X86_R15,
		[UNW_X86_64_RIP] = PERF_REG_X86_IP,
	};

	return number >= 0 && (unsigned)number < sizeof(bits) ?
	    bits[number] : 64;
}

#elif defined(__aarch64__)

/*
 * Registers to ask for, their number, and the stack pointer: x0 to x30, sp and
 * pc.  The kernel and libunwind number them alike.
 */
#define PERF_UNWIND_REGS	((1ull << PERF_REG_ARM64_MAX) - 1)
#define PERF_UNWIND_REG_COUNT 33u
#define PERF_UNWIND_SP_INDEX	PERF_REG_ARM64_SP

static inline unsigned
perf_unwind_reg(unw_regnum_t number)
{
	return number >= 0 && number < PERF_REG_ARM64_MAX ?
	    (unsigned)number : 64;
}

#else
#error "no registers of this machine are known: configure leaves this out"
#endif

#endif

/* Context: S.  aarch64: what a stack frame looks like. */
#ifndef FRAME_H
#define FRAME_H

#include "arch.h"

#include <asm/perf_regs.h>
#include <stddef.h>

/* Columns of unwind tables; DWARF for the Arm 64-bit Architecture, 4.1. */
#define FRAME_BASE	19
#define FRAME_FP	29
#define FRAME_SP	31
#define FRAME_RA	30

/* A call leaves its return address in a register. */
#define FRAME_LINKS	1

/* Variables of the thread are there, any number of them. */
#define FRAME_ABOVE_SELF	0u

static inline uintptr_t
frame_fp(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.regs[29];
}

static inline uintptr_t
frame_base(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.regs[19];
}

static inline uintptr_t
frame_link(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.regs[30];
}

/* As in x86_64/frame.h. */
static inline bool
frame_register(const ucontext_t *uc, uint64_t column, uintptr_t *value)
{
	if (column > FRAME_SP)
		return false;
	*value = (uintptr_t)(column == FRAME_SP ? uc->uc_mcontext.sp :
	    uc->uc_mcontext.regs[column]);
	return true;
}

/* As in x86_64/frame.h. */
#define FRAME_PERF_REGS	((uint64_t)1 << PERF_REG_ARM64_X19 | \
	(uint64_t)1 << PERF_REG_ARM64_X29 | (uint64_t)1 << PERF_REG_ARM64_LR | \
	(uint64_t)1 << PERF_REG_ARM64_SP | (uint64_t)1 << PERF_REG_ARM64_PC)

enum frame_perf {
	FRAME_PERF_BASE,
	FRAME_PERF_FP,
	FRAME_PERF_LINK,
	FRAME_PERF_SP,
	FRAME_PERF_PC,
	FRAME_PERF_COUNT,
};

/* A return address can carry a signature above its 48 bits. */
static inline uintptr_t
frame_bare(uintptr_t address)
{
	return address & (((uintptr_t)1 << 48) - 1);
}

#define FRAME_SIGNAL_BYTES	8u

static inline bool
frame_is_signal(const unsigned char *p)
{
	const uint32_t *code = (const void *)p;

	/* mov x8, #139; svc #0 */
	return ((uintptr_t)p & 3) == 0 && code[0] == 0xd2801168u &&
	    code[1] == 0xd4000001u;
}

/* Behind struct siginfo. */
static inline uintptr_t
frame_context(uintptr_t sp)
{
	return sp + 128;
}

#define FRAME_REGISTER(name)	offsetof(ucontext_t, uc_mcontext.name)
#define FRAME_CONTEXT_PC	FRAME_REGISTER(pc)
#define FRAME_CONTEXT_SP	FRAME_REGISTER(sp)
#define FRAME_CONTEXT_FP	FRAME_REGISTER(regs[29])
#define FRAME_CONTEXT_BASE	FRAME_REGISTER(regs[19])
#define FRAME_CONTEXT_LINK	FRAME_REGISTER(regs[30])

/* Is there a call before p?  bl, blr */
#define FRAME_CALL_BYTES	4u

static inline bool
frame_is_call(const unsigned char *p)
{
	const uint32_t code = ((uintptr_t)p & 3) == 0 ? *(const uint32_t *)
	    (const void *)(p - 4) : 0;

	return (code & 0xfc000000u) == 0x94000000u ||
	    (code & 0xfffffc1fu) == 0xd63f0000u;
}

/* It has it in a register. */
static inline bool
frame_is_leaf_call(const unsigned char *p, uintptr_t pc)
{
	(void)p;
	(void)pc;
	return false;
}

/* No compiler restores sp from a register that it has saved. */
#define FRAME_RESTORE_BYTES	4u

static inline unsigned
frame_restore(const unsigned char *p)
{
	(void)p;
	return 0;
}

/* As in x86_64/frame.h. */
enum frame_place {
	FRAME_IN_BODY,
	FRAME_AT_EDGE,
	FRAME_IN_PROLOGUE,
};

#define FRAME_PLACE_BYTES	4u

static inline enum frame_place
frame_place(const unsigned char *p)
{
	const uint32_t code = ((uintptr_t)p & 3) == 0 ? *(const uint32_t *)
	    (const void *)p : 0;

	/* stp x29, x30, [sp, #-n]!; paciasp; bti c; ret */
	return (code & 0xffc07fffu) == 0xa9807bfdu || code == 0xd503233fu ||
	    code == 0xd503245fu || code == 0xd65f03c0u ? FRAME_AT_EDGE :
	    FRAME_IN_BODY;
}

#endif

/*
 * Context: S.  aarch64: registers in unwind tables, contexts and perf records;
 * instructions by which code without tables is recognized; and signal frames.
 * core/hot uses it for walks of stacks, for ring entries of perf events, and
 * for entries into signal handlers (core/hot/thread, tick.c).  x86_64/frame.h
 * declares the same, and names of its own.
 */
#ifndef FRAME_H
#define FRAME_H

#include "arch.h"

#include <asm/perf_regs.h>
#include <signal.h>
#include <stddef.h>

/* Columns of unwind tables; DWARF for the Arm 64-bit Architecture, 4.1. */
#define FRAME_BASE_REGISTER	19
#define FRAME_FP	29
#define FRAME_SP	31
#define FRAME_RA	30

/* A call leaves its return address in a register (1), not on the stack (0). */
#define FRAME_HAS_LINK_REGISTER	1

/*
 * Bytes of a thread's stack that can lie above where pthread_self() points; 0:
 * unknown, because the thread's variables lie there, and their size has no
 * limit.
 */
#define FRAME_ABOVE_SELF	0u

/*
 * frame_fp(), frame_base_register() and frame_link_register() return these
 * registers of the interrupted code.
 */
static inline uintptr_t
frame_fp(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.regs[29];
}

static inline uintptr_t
frame_base_register(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.regs[19];
}

static inline uintptr_t
frame_link_register(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.regs[30];
}

/*
 * Fills *value with the register of the interrupted code that has that column
 * in unwind tables.  Returns false for other columns.
 */
static inline bool
frame_register(const ucontext_t *uc, uint64_t column, uintptr_t *value)
{
	if (column > FRAME_SP)
		return false;
	*value = (uintptr_t)(column == FRAME_SP ? uc->uc_mcontext.sp :
	    uc->uc_mcontext.regs[column]);
	return true;
}

/*
 * Makes the handler return to where __builtin_setjmp() filled `back`, as if
 * that returned for the second time.
 */
static inline void
frame_return_to_setjmp(ucontext_t *uc, void *const *back)
{
	uc->uc_mcontext.regs[29] = (uintptr_t)back[0];
	uc->uc_mcontext.pc = (uintptr_t)back[1];
	uc->uc_mcontext.sp = (uintptr_t)back[2];
}

/* Makes the handler return to pc, with all registers as they were. */
static inline void
frame_return_to_pc(ucontext_t *uc, uintptr_t pc)
{
	uc->uc_mcontext.pc = pc;
}

/*
 * The registers that a perf event is to write into a ring entry, and in enum
 * frame_perf their places there.
 */
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

/*
 * Returns the address without the signature that a return address can carry
 * above its 48 bits.
 */
static inline uintptr_t
frame_strip_pac(uintptr_t address)
{
	return address & (((uintptr_t)1 << 48) - 1);
}

/*
 * frame_is_sigreturn() returns whether a signal handler returns to the code at
 * p, of which FRAME_SIGRETURN_BYTES can be read.
 */
#define FRAME_SIGRETURN_BYTES	8u

static inline bool
frame_is_sigreturn(const unsigned char *p)
{
	const uint32_t *code = (const void *)p;

	/* mov x8, #139; svc #0 */
	return ((uintptr_t)p & 3) == 0 && code[0] == 0xd2801168u &&
	    code[1] == 0xd4000001u;
}

/*
 * Returns where the kernel has put the ucontext of a signal, from the stack
 * pointer that the handler returns with: behind struct siginfo.
 */
static inline uintptr_t
frame_signal_context(uintptr_t sp)
{
	return sp + 128;
}

/* Offsets of registers in a ucontext. */
#define FRAME_REGISTER(name)	offsetof(ucontext_t, uc_mcontext.name)
#define FRAME_CONTEXT_PC	FRAME_REGISTER(pc)
#define FRAME_CONTEXT_SP	FRAME_REGISTER(sp)
#define FRAME_CONTEXT_FP	FRAME_REGISTER(regs[29])
#define FRAME_CONTEXT_BASE	FRAME_REGISTER(regs[19])
#define FRAME_CONTEXT_LINK	FRAME_REGISTER(regs[30])

/*
 * frame_is_after_call() returns whether the instruction before p is a call (bl,
 * blr).  FRAME_CALL_BYTES before p can be read.
 */
#define FRAME_CALL_BYTES	4u

static inline bool
frame_is_after_call(const unsigned char *p)
{
	const uint32_t code = ((uintptr_t)p & 3) == 0 ? *(const uint32_t *)
	    (const void *)(p - 4) : 0;

	return (code & 0xfc000000u) == 0x94000000u ||
	    (code & 0xfffffc1fu) == 0xd63f0000u;
}

/*
 * Returns whether p is a return address on the stack of a function without a
 * frame: never here, because such a function has it in a register.
 */
static inline bool
frame_is_leaf_call(const unsigned char *p, uintptr_t pc)
{
	(void)p;
	(void)pc;
	return false;
}

/*
 * frame_sp_restored_from() returns the column of the register from which the
 * instruction at p restores sp, or 0: no compiler does that here.
 */
#define FRAME_RESTORE_BYTES	4u

static inline unsigned
frame_sp_restored_from(const unsigned char *p)
{
	(void)p;
	return 0;
}

/*
 * The part of its code in which a function is, for a function that may have a
 * frame pointer: the body, where the frame pointer is its own; an edge, where
 * nothing was pushed, or all was popped; or the prologue.  frame_prologue()
 * returns it by the instruction at p, of which FRAME_PROLOGUE_BYTES can be
 * read.
 */
enum frame_prologue {
	FRAME_IN_BODY,
	FRAME_AT_EDGE,
	FRAME_IN_PROLOGUE,	/* never here */
};

#define FRAME_PROLOGUE_BYTES	4u

static inline enum frame_prologue
frame_prologue(const unsigned char *p)
{
	const uint32_t code = ((uintptr_t)p & 3) == 0 ? *(const uint32_t *)
	    (const void *)p : 0;

	/* stp x29, x30, [sp, #-n]!; paciasp; bti c; ret */
	return (code & 0xffc07fffu) == 0xa9807bfdu || code == 0xd503233fu ||
	    code == 0xd503245fu || code == 0xd65f03c0u ? FRAME_AT_EDGE :
	    FRAME_IN_BODY;
}

/*
 * The entry into a signal handler, by the kernel or by a call from code.  cfa:
 * where the handler's frame begins; fp: its caller's frame pointer; ra: its
 * return address.
 */
struct frame_signal_entry {
	uintptr_t cfa, fp, ra;
	siginfo_t *info;
	ucontext_t *context;
};

/*
 * A copy of a signal's frame at `to`, and of the processor's state at
 * `state_to`, which may be apart.  Sizes are in bytes.
 */
struct frame_copy {
	uintptr_t from, to;
	size_t bytes;
	uintptr_t state_from, state_to;
	size_t state_bytes;
};

/*
 * Fills a frame_signal_entry in the function that contains the macro and that
 * keeps a frame record.
 */
#define FRAME_SIGNAL_ENTRY(si, uc) { \
	(uintptr_t)__builtin_dwarf_cfa(), \
	*(const uintptr_t *)__builtin_frame_address(0), \
	(uintptr_t)__builtin_return_address(0), si, uc }

/* The bytes below its stack pointer that a function may use. */
#define FRAME_RED_ZONE	0u

/* Bytes of a siginfo in a signal's frame. */
#define FRAME_INFO_BYTES	128u

/*
 * Returns where the signal's frame begins.  Linux's struct rt_sigframe holds
 * the siginfo, then the ucontext.
 */
static inline uintptr_t
frame_signal_start(const struct frame_signal_entry *e)
{
	return (uintptr_t)e->info;
}

/*
 * Returns whether the kernel has entered the function; false if code called it.
 * fp points to a frame record at the end of the frame that the kernel made.
 */
static inline bool
frame_is_signal_entry(const struct frame_signal_entry *e)
{
	return e->cfa == (uintptr_t)e->info &&
	    (uintptr_t)e->context == e->cfa + FRAME_INFO_BYTES &&
	    e->fp - e->cfa < ((uintptr_t)1 << 20);
}

/*
 * Returns where the kernel would put the frame under `top`; the caller copies
 * it.  The frame and the processor's state are one piece here.
 */
static inline struct frame_copy
frame_copy_below(const struct frame_signal_entry *e, uintptr_t top)
{
	struct frame_copy c = {
		.from = frame_signal_start(e),
		.bytes = e->fp + 16 - frame_signal_start(e),
	};

	c.to = (top - c.bytes) & ~(uintptr_t)15;
	return c;
}

/*
 * Corrects, in the frame's copy at c->to, the address of the vector registers
 * that did not fit into the context (asm/sigcontext.h).
 */
static inline void
frame_relocate(const struct frame_copy *c)
{
	enum { EXTRA = 0x45585401 };
	ucontext_t *uc = (void *)(c->to + FRAME_INFO_BYTES);
	unsigned char *p = (void *)uc->uc_mcontext.__reserved;
	unsigned char *end = p + sizeof(uc->uc_mcontext.__reserved);

	while (end - p >= 16 && ((uint32_t *)(void *)p)[0] != 0 &&
	    ((uint32_t *)(void *)p)[1] >= 16) {
		if (((uint32_t *)(void *)p)[0] == EXTRA)
			((uint64_t *)(void *)p)[1] += c->to - c->from;
		p += ((uint32_t *)(void *)p)[1];
	}
}

/* Enters handler(sig, siginfo, ucontext) on the frame at sp. */
_Noreturn static inline void
frame_enter_handler(const struct frame_signal_entry *e, uintptr_t sp, int sig,
    void *handler)
{
	register long x0 __asm__("x0") = sig;
	register uintptr_t x1 __asm__("x1") = sp;
	register uintptr_t x2 __asm__("x2") = sp + FRAME_INFO_BYTES;
	register uintptr_t x4 __asm__("x4") =
	    e->fp - frame_signal_start(e) + sp;
	register uintptr_t x5 __asm__("x5") = e->ra;
	register void *x16 __asm__("x16") = handler;

	__asm__ volatile("mov sp, x1\n"
	    "	mov x29, x4\n"
	    "	mov x30, x5\n"
	    "	br x16"
	    :
	    : "r"(x0), "r"(x1), "r"(x2), "r"(x4), "r"(x5), "r"(x16)
	    : "memory");
	__builtin_unreachable();
}

#endif

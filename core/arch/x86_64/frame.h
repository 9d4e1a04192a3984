/*
 * Context: S.  x86-64: registers in unwind tables, contexts and perf records;
 * instructions by which code without tables is recognized; and signal frames.
 * core/hot uses it for walks of stacks, for ring entries of perf events, and
 * for entries into signal handlers (core/hot/thread, tick.c).  aarch64/frame.h
 * declares the same, but for names that x86-64 alone needs.
 */
#ifndef FRAME_H
#define FRAME_H

#include "arch.h"

#include <asm/perf_regs.h>
#include <signal.h>
#include <stddef.h>

/*
 * Columns of unwind tables; System V ABI for x86-64, figure 3.36.  The base
 * register is rbx: frames of the loader's resolver, and of clang, are found by
 * it.
 */
#define FRAME_BASE_REGISTER	3
#define FRAME_FP	6
#define FRAME_SP	7
#define FRAME_RA	16

/* A call leaves its return address in a register (1), not on the stack (0). */
#define FRAME_HAS_LINK_REGISTER	0

/*
 * Bytes of a thread's stack that can lie above where pthread_self() points, at
 * most: libc has 2.3 KiB there, and the thread's variables lie below.
 */
#define FRAME_ABOVE_SELF	65536u

/*
 * frame_fp(), frame_base_register() and frame_link_register() return these
 * registers of the interrupted code; there is no link register here, so 0
 * stands for it.
 */
static inline uintptr_t
frame_fp(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.gregs[REG_RBP];
}

static inline uintptr_t
frame_base_register(const ucontext_t *uc)
{
	return (uintptr_t)uc->uc_mcontext.gregs[REG_RBX];
}

static inline uintptr_t
frame_link_register(const ucontext_t *uc)
{
	(void)uc;
	return 0;
}

/*
 * Fills *value with the register of the interrupted code that has that column
 * in unwind tables.  Returns false for other columns.
 */
static inline bool
frame_register(const ucontext_t *uc, uint64_t column, uintptr_t *value)
{
	static const unsigned char at[] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP,
		REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
		REG_R14, REG_R15, REG_RIP,
	};

	if (column >= sizeof(at))
		return false;
	*value = (uintptr_t)uc->uc_mcontext.gregs[at[column]];
	return true;
}

/*
 * The registers that a perf event is to write into a ring entry, and in enum
 * frame_perf their places there.
 */
#define FRAME_PERF_REGS	(1u << PERF_REG_X86_BX | 1u << PERF_REG_X86_BP | \
	1u << PERF_REG_X86_SP | 1u << PERF_REG_X86_IP)

enum frame_perf {
	FRAME_PERF_BASE,
	FRAME_PERF_FP,
	FRAME_PERF_SP,
	FRAME_PERF_PC,
	FRAME_PERF_COUNT,
	FRAME_PERF_LINK = FRAME_PERF_PC,	/* there is none */
};

/*
 * Makes the handler return to where __builtin_setjmp() filled `back`, as if
 * that returned for the second time.
 */
static inline void
frame_return_to_setjmp(ucontext_t *uc, void *const *back)
{
	uc->uc_mcontext.gregs[REG_RBP] = (greg_t)back[0];
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)back[1];
	uc->uc_mcontext.gregs[REG_RSP] = (greg_t)back[2];
}

/* Makes the handler return to pc, with all registers as they were. */
static inline void
frame_return_to_pc(ucontext_t *uc, uintptr_t pc)
{
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

/* Returns the address without a signature; pointers carry none here. */
static inline uintptr_t
frame_strip_pac(uintptr_t address)
{
	return address;
}

/*
 * frame_is_sigreturn() returns whether a signal handler returns to the code at
 * p, of which FRAME_SIGRETURN_BYTES can be read.
 */
#define FRAME_SIGRETURN_BYTES	9u

static inline bool
frame_is_sigreturn(const unsigned char *p)
{
	/* mov $15, %rax; syscall */
	return p[0] == 0x48 && p[1] == 0xc7 && p[2] == 0xc0 && p[3] == 0x0f &&
	    p[4] == 0 && p[5] == 0 && p[6] == 0 && p[7] == 0x0f && p[8] == 0x05;
}

/*
 * Returns where the kernel has put the ucontext of a signal, from the stack
 * pointer that the handler returns with.
 */
static inline uintptr_t
frame_signal_context(uintptr_t sp)
{
	return sp;
}

/* Offsets of registers in a ucontext.  There is no link register here. */
#define FRAME_REGISTER(name) \
	(offsetof(ucontext_t, uc_mcontext.gregs) + sizeof(greg_t) * (name))
#define FRAME_CONTEXT_PC	FRAME_REGISTER(REG_RIP)
#define FRAME_CONTEXT_SP	FRAME_REGISTER(REG_RSP)
#define FRAME_CONTEXT_FP	FRAME_REGISTER(REG_RBP)
#define FRAME_CONTEXT_BASE	FRAME_REGISTER(REG_RBX)
#define FRAME_CONTEXT_LINK	FRAME_REGISTER(REG_RIP)

/*
 * frame_is_after_call() returns whether the instruction before p is a call.
 * FRAME_CALL_BYTES before p can be read.
 */
#define FRAME_CALL_BYTES	7u

static inline bool
frame_is_after_call(const unsigned char *p)
{
	/*
	 * call n: opcode e8; call *r, *n(r), *n(r,r), *n(%rip): opcode ff /2,
	 * with a prefix or not
	 */
	return p[-5] == 0xe8 ||
	    (p[-2] == 0xff && (p[-1] & 0x38) == 0x10) ||
	    (p[-3] == 0xff && (p[-2] & 0x38) == 0x10) ||
	    (p[-4] == 0xff && (p[-3] & 0x38) == 0x10) ||
	    (p[-6] == 0xff && (p[-5] & 0x38) == 0x10) ||
	    (p[-7] == 0xff && (p[-6] & 0x38) == 0x10);
}

/*
 * frame_is_leaf_call() returns whether p is a return address behind a direct
 * call of code that begins less than FRAME_LEAF_MOST bytes before pc.  A
 * function without a table and without a frame, most often written in assembly,
 * has its return address where the call has put it.
 */
#define FRAME_LEAF_MOST	65536u

static inline bool
frame_is_leaf_call(const unsigned char *p, uintptr_t pc)
{
	const uint32_t by = (uint32_t)p[-4] | (uint32_t)p[-3] << 8 |
	    (uint32_t)p[-2] << 16 | (uint32_t)p[-1] << 24;

	return p[-5] == 0xe8 && pc - ((uintptr_t)p +
	    (uintptr_t)(intptr_t)(int32_t)by) < FRAME_LEAF_MOST;
}

/*
 * frame_sp_restored_from() returns the register (DWARF column) from which the
 * instruction at p restores sp, or 0: 10 for lea -8(%r10), %rsp; 13 for lea
 * -16(%r13), %rsp.  In a function that aligns its stack, gcc keeps the frame's
 * address in r10 or r13 (find_drap_reg()), from which one of the last
 * instructions restores sp.  By then all other registers are the caller's, and
 * the table still says that they are saved.  FRAME_RESTORE_BYTES at p can be
 * read.
 */
#define FRAME_RESTORE_BYTES	4u

static inline unsigned
frame_sp_restored_from(const unsigned char *p)
{
	if (p[0] != 0x49 || p[1] != 0x8d)
		return 0;
	return p[2] == 0x62 && p[3] == 0xf8 ? 10 :
	    p[2] == 0x65 && p[3] == 0xf0 ? 13 : 0;
}

/*
 * The part of its code in which a function is, for a function that may have a
 * frame pointer.  frame_prologue() returns it by the instruction at p, of which
 * FRAME_PROLOGUE_BYTES can be read.
 */
enum frame_prologue {
	FRAME_IN_BODY,		/* in the body: fp is the function's own */
	FRAME_AT_EDGE,		/* nothing was pushed, or all was popped */
	/* the caller's fp was pushed, and is still in the register */
	FRAME_IN_PROLOGUE,
};

#define FRAME_PROLOGUE_BYTES	4u

static inline enum frame_prologue
frame_prologue(const unsigned char *p)
{
	/* mov %rsp, %rbp in its two encodings */
	if (p[0] == 0x48 && ((p[1] == 0x89 && p[2] == 0xe5) ||
	    (p[1] == 0x8b && p[2] == 0xec)))
		return FRAME_IN_PROLOGUE;
	/* push %rbp, ret; endbr64; jmp *n(%rip) of a stub */
	if (p[0] == 0x55 || p[0] == 0xc3 || (p[0] == 0xf3 && p[1] == 0x0f &&
	    p[2] == 0x1e && p[3] == 0xfa) || (p[0] == 0xff && p[1] == 0x25))
		return FRAME_AT_EDGE;
	return FRAME_IN_BODY;
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

/* Fills a frame_signal_entry in the function that contains the macro. */
#define FRAME_SIGNAL_ENTRY(si, uc) { \
	(uintptr_t)__builtin_dwarf_cfa(), 0, 0, si, uc }

/* The bytes below its stack pointer that a function may use. */
#define FRAME_RED_ZONE	128u

/*
 * Bytes of the parts of Linux's struct rt_sigframe, which holds the return
 * address, the kernel's own ucontext, which is shorter than libc's, and the
 * siginfo.
 */
#define FRAME_CONTEXT_BYTES	304u
#define FRAME_INFO_BYTES	128u

/* Returns where the signal's frame begins. */
static inline uintptr_t
frame_signal_start(const struct frame_signal_entry *e)
{
	return (uintptr_t)e->context - 8;
}

/*
 * Returns whether the kernel has entered the function; false if code called it.
 */
static inline bool
frame_is_signal_entry(const struct frame_signal_entry *e)
{
	return e->cfa == (uintptr_t)e->context &&
	    (uintptr_t)e->info == e->cfa + FRAME_CONTEXT_BYTES;
}

/*
 * Returns the bytes of the processor's state at `state`, 0: none.
 * asm/sigcontext.h: struct _fpx_sw_bytes is in the last 48 of the state's first
 * 512 bytes.
 */
static inline size_t
frame_state_bytes(uintptr_t state)
{
	enum { PLAIN = 512, AT = 464, MAGIC = 0x46505853 };
	const uint32_t *p = (const void *)(state + AT);

	return state == 0 ? 0 : p[0] == MAGIC ? p[1] : PLAIN;
}

/*
 * Returns where under `top` the kernel would put the processor's state, and
 * below that the frame.
 */
static inline struct frame_copy
frame_copy_below(const struct frame_signal_entry *e, uintptr_t top)
{
	struct frame_copy c = {
		.from = frame_signal_start(e),
		.bytes = 8 + FRAME_CONTEXT_BYTES + FRAME_INFO_BYTES,
		.state_from = (uintptr_t)e->context->uc_mcontext.fpregs,
	};

	c.state_bytes = frame_state_bytes(c.state_from);
	c.state_to = (top - c.state_bytes) & ~(uintptr_t)63;
	c.to = ((c.state_to - c.bytes) & ~(uintptr_t)15) - 8;
	return c;
}

/*
 * Corrects the addresses in the frame's copy at c->to that point into the
 * frame.
 */
static inline void
frame_relocate(const struct frame_copy *c)
{
	ucontext_t *uc = (void *)(c->to + 8);

	if (c->state_from != 0)
		uc->uc_mcontext.fpregs = (void *)c->state_to;
}

/* Enters handler(sig, siginfo, ucontext) on the frame at sp. */
_Noreturn static inline void
frame_enter_handler(const struct frame_signal_entry *e, uintptr_t sp, int sig,
    void *handler)
{
	register uintptr_t r8 __asm__("r8") = sp;
	register void *r9 __asm__("r9") = handler;
	register uintptr_t r10 __asm__("r10") = frame_fp(e->context);

	__asm__ volatile("mov %%r8, %%rsp\n"
	    "	mov %%r10, %%rbp\n"
	    "	xor %%eax, %%eax\n"
	    "	jmp *%%r9"
	    :
	    : "r"(r8), "r"(r9), "r"(r10), "D"(sig),
	    "S"(sp + 8 + FRAME_CONTEXT_BYTES), "d"(sp + 8)
	    : "memory");
	__builtin_unreachable();
}

#endif

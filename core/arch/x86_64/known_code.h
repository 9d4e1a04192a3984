/*
 * Context: S.  x86-64: code without unwind tables that is known by its bytes,
 * all of them, which prove where its caller's frame is.  unwind_known.c asks,
 * in walks of stacks.  aarch64/known_code.h declares the same.
 */
#ifndef KNOWN_CODE_H
#define KNOWN_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * CPython's trampoline, which -X perf copies to memory at run time for each
 * function of Python (Python/asm_trampoline.S of 3.12 to 3.14).
 * known_code_is_trampoline() returns whether the code at p, of which
 * KNOWN_CODE_TRAMPOLINE_BYTES can be read, is this code.
 */
#define KNOWN_CODE_TRAMPOLINE_BYTES	11u

static inline bool
known_code_is_trampoline(const unsigned char *p)
{
	/* sub $8, %rsp; call *%rcx; add $8, %rsp; ret */
	static const unsigned char code[KNOWN_CODE_TRAMPOLINE_BYTES] = {
		0x48, 0x83, 0xec, 0x08, 0xff, 0xd1, 0x48, 0x83, 0xc4, 0x08,
		0xc3,
	};

	for (unsigned i = 0; i < KNOWN_CODE_TRAMPOLINE_BYTES; i++)
		if (p[i] != code[i])
			return false;
	return true;
}

/* The offset of the trampoline's instruction behind its call. */
#define KNOWN_CODE_TRAMPOLINE_CALLED	6u

/*
 * Returns how many bytes above sp the return address of the trampoline lies, if
 * its instruction at that offset is the next one; -1 if no instruction begins
 * there.
 */
static inline int
known_code_trampoline_slot(unsigned offset)
{
	return offset == 0 || offset == 10 ? 0 : offset == 4 ||
	    offset == KNOWN_CODE_TRAMPOLINE_CALLED ? 8 : -1;
}

/* Compares code with bytes, and steps behind it where it is the same. */
static inline bool
known_code_skip(const unsigned char **p, const unsigned char *code, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((*p)[i] != code[i])
			return false;
	*p += n;
	return true;
}

/*
 * Go's runtime.asmcgocall calls C on the thread's stack, and returns to the
 * goroutine's (runtime/asm_amd64.s).  known_code_is_go_switch() returns whether
 * the code at p, of which KNOWN_CODE_GO_BYTES can be read, is all that follows
 * the call: then the word at sp + KNOWN_CODE_GO_G points to a struct g, whose
 * word at KNOWN_CODE_GO_TOP is the end of its stack, and the word at sp +
 * KNOWN_CODE_GO_DEPTH says how far below that the return address lies.  No
 * other register changes.
 */
#define KNOWN_CODE_GO_BYTES	38u
#define KNOWN_CODE_GO_G		0x30u
#define KNOWN_CODE_GO_TOP	8u
#define KNOWN_CODE_GO_DEPTH	0x28u

static inline bool
known_code_is_go_switch(const unsigned char *p)
{
	/*
	 * mov n(%rip), %rcx: the offset of g, in code at any address; or mov
	 * $n, %rcx, which the linker makes of that
	 */
	static const unsigned char tls[] = { 0x48, 0x8b, 0x0d };
	static const unsigned char linked[] = { 0x48, 0xc7, 0xc1 };
	/* mov 0x30(%rsp), %rdi; mov 8(%rdi), %rsi; sub 0x28(%rsp), %rsi */
	static const unsigned char top[] = {
		0x48, 0x8b, 0x7c, 0x24, 0x30, 0x48, 0x8b, 0x77, 0x08, 0x48,
		0x2b, 0x74, 0x24, 0x28,
	};
	/* mov %rdi, %fs:n, or with the offset mov %rdi, %fs:(%rcx) */
	static const unsigned char g[] = { 0x64, 0x48, 0x89, 0x3c, 0x25 };
	static const unsigned char g_by_tls[] = { 0x64, 0x48, 0x89, 0x39 };
	/* mov %rsi, %rsp; mov %eax, 0x18(%rsp); ret */
	static const unsigned char end[] = {
		0x48, 0x89, 0xf4, 0x89, 0x44, 0x24, 0x18, 0xc3,
	};
	const bool by_tls = known_code_skip(&p, tls, sizeof(tls)) ||
	    known_code_skip(&p, linked, sizeof(linked));

	p += by_tls ? 4 : 0;
	if (!known_code_skip(&p, top, sizeof(top)) || !(by_tls ?
	    known_code_skip(&p, g_by_tls, sizeof(g_by_tls)) :
	    known_code_skip(&p, g, sizeof(g))))
		return false;
	p += by_tls ? 0 : 4;
	return known_code_skip(&p, end, sizeof(end));
}

/* Returns the four bytes at *p with their sign, and steps behind them. */
static inline int32_t
known_code_take_offset(const unsigned char **p)
{
	const uint32_t n = (uint32_t)(*p)[0] | (uint32_t)(*p)[1] << 8 |
	    (uint32_t)(*p)[2] << 16 | (uint32_t)(*p)[3] << 24;

	*p += 4;
	return (int32_t)n;
}

/*
 * Go's runtime.systemstack calls its runtime on the thread's stack, and returns
 * to the goroutine's.  The code behind the call takes the pointer to a struct g
 * from the thread's local storage, from that the pointer to a struct m, from
 * that the pointer to the goroutine's struct g, and from that the stack
 * pointer, at which the return address lies.  The offsets of these words, in
 * bytes:
 */
struct known_code_go_system {
	int32_t tls;		/* from the thread pointer */
	int32_t g_to_m, m_to_g;
	int32_t sp;
	int32_t fp;		/* 0: the frame pointer is not changed */
};

#define KNOWN_CODE_GO_SYSTEM_BYTES	58u

/*
 * Returns whether the code at p, of which KNOWN_CODE_GO_SYSTEM_BYTES can be
 * read, is all of that code, and fills *go.
 */
static inline bool
known_code_is_go_system(const unsigned char *p, struct known_code_go_system *go)
{
	/* mov $n, %rcx; mov %fs:(%rcx), %rax */
	static const unsigned char linked[] = { 0x48, 0xc7, 0xc1 };
	static const unsigned char g_by_tls[] = { 0x64, 0x48, 0x8b, 0x01 };
	/* mov %fs:n, %rax */
	static const unsigned char g[] = { 0x64, 0x48, 0x8b, 0x04, 0x25 };
	/* mov n(%rax), %rbx; mov n(%rbx), %rax */
	static const unsigned char m[] = { 0x48, 0x8b, 0x58 };
	static const unsigned char curg[] = { 0x48, 0x8b, 0x83 };
	/* mov %rax, %fs:(%rcx); mov %rax, %fs:n */
	static const unsigned char set_by_tls[] = { 0x64, 0x48, 0x89, 0x01 };
	static const unsigned char set[] = { 0x64, 0x48, 0x89, 0x04, 0x25 };
	/* mov n(%rax), %rsp; mov n(%rax), %rbp; movq $0, n(%rax) */
	static const unsigned char sp[] = { 0x48, 0x8b, 0x60 };
	static const unsigned char fp[] = { 0x48, 0x8b, 0x68 };
	static const unsigned char clear[] = { 0x48, 0xc7, 0x40 };
	static const unsigned char zero[] = { 0, 0, 0, 0 };
	const bool by_tls = known_code_skip(&p, linked, sizeof(linked));

	*go = (struct known_code_go_system) { 0 };
	if (by_tls)
		go->tls = known_code_take_offset(&p);
	if (!(by_tls ? known_code_skip(&p, g_by_tls, sizeof(g_by_tls)) :
	    known_code_skip(&p, g, sizeof(g))))
		return false;
	if (!by_tls)
		go->tls = known_code_take_offset(&p);
	if (!known_code_skip(&p, m, sizeof(m)))
		return false;
	go->g_to_m = (signed char)*p++;
	if (!known_code_skip(&p, curg, sizeof(curg)))
		return false;
	go->m_to_g = known_code_take_offset(&p);
	if (!(by_tls ? known_code_skip(&p, set_by_tls, sizeof(set_by_tls)) :
	    known_code_skip(&p, set, sizeof(set)) &&
	    known_code_take_offset(&p) == go->tls))
		return false;
	if (!known_code_skip(&p, sp, sizeof(sp)))
		return false;
	go->sp = (signed char)*p++;
	if (known_code_skip(&p, fp, sizeof(fp)))
		go->fp = (signed char)*p++;
	if (!known_code_skip(&p, clear, sizeof(clear)) ||
	    (signed char)*p++ != go->sp || !known_code_skip(&p, zero,
	    sizeof(zero)))
		return false;
	if (go->fp != 0 && (!known_code_skip(&p, clear, sizeof(clear)) ||
	    (signed char)*p++ != go->fp || !known_code_skip(&p, zero,
	    sizeof(zero))))
		return false;
	return *p == 0xc3;	/* ret */
}

#endif

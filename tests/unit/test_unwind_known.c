/* Context: O.  Tests of core/hot/unwind/unwind_known.c, by walks. */
#include "arch.h"
#include "mapped.h"
#include "module/modules.h"
#include "target.h"
#include "unwind/stack_walk.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

static void
begin(void)
{
	target_init();
	target_birth();
	config.stack = FORMAT_STACK_AUTO;
	mon->python = true;
	modules_refresh();
}

TestSuite(unwind_known, .init = begin, .fini = target_fini);

#ifdef __x86_64__

#define CALLER	100	/* offset of the caller's code in the page */

/*
 * A page of code, of a file or made at run time, that may be written after it
 * is in the table.
 */
static unsigned char *
code_page(int fd)
{
	void *page = mapped_page(fd, MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS :
	    0));

	modules_refresh();
	cr_assert_eq(mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC),
	    0);
	return page;
}

/* The first caller that a walk from pc finds, without a frame pointer. */
static uint64_t
first_caller(const unsigned char *pc, const uintptr_t *sp, bool called)
{
	const struct stack_walk_start from = {
		.pc = (uintptr_t)pc, .sp = (uintptr_t)sp, .fp = 1,
		.called = called, .registers = true,
	};
	uint64_t frames[16];
	uintptr_t unknown;

	cr_assert_gt(stack_walk(target_slot(), &from, frames, 16, &unknown), 0);
	return frames[0];
}

/*
 * The caller found from the instruction at `at` of the trampoline at `code`.
 * The return address lies in the given word of the stack.
 */
static uint64_t
caller_of_trampoline(const unsigned char *code, unsigned at, unsigned word,
    bool called)
{
	uintptr_t words[4] = { 1, 1, 1, 1 };

	words[word] = (uintptr_t)code + CALLER;
	return first_caller(code + at, words, called);
}

Test(unwind_known, trampoline_of_python)
{
	static const unsigned char bytes[] = {
		0x48, 0x83, 0xec, 0x08, 0xff, 0xd1, 0x48, 0x83, 0xc4, 0x08,
		0xc3,
	};
	unsigned char *page = code_page(-1);
	const uint64_t caller = (uintptr_t)page + CALLER;

	memcpy(page, bytes, sizeof(bytes));
	cr_expect_eq(caller_of_trampoline(page, 0, 0, false), caller);
	cr_expect_eq(caller_of_trampoline(page, 4, 1, false), caller);
	cr_expect_eq(caller_of_trampoline(page, 6, 1, false), caller);
	cr_expect_eq(caller_of_trampoline(page, 10, 0, false), caller);
	cr_expect_eq(caller_of_trampoline(page, 6, 1, true), caller);
	/* With any other byte it is code of which nothing is known. */
	for (unsigned i = 0; i < sizeof(bytes); i++) {
		page[i] ^= 1;
		cr_expect_eq(caller_of_trampoline(page, 6, 1, true),
		    STACK_WALK_CUT | FORMAT_CUT_TABLE, "byte %u", i);
		page[i] ^= 1;
	}
}

/* One below another, in one mapping, and then code that is none. */
Test(unwind_known, trampolines_in_turn)
{
	static const unsigned char bytes[] = {
		0x48, 0x83, 0xec, 0x08, 0xff, 0xd1, 0x48, 0x83, 0xc4, 0x08,
		0xc3,
	};
	unsigned char *page = code_page(-1);
	const uintptr_t pc = (uintptr_t)page + 6;
	const uintptr_t words[] = { 1, pc + 16, 1, pc + 32, 1, pc + 48, 1, 1 };
	const struct stack_walk_start from = {
		.pc = pc, .sp = (uintptr_t)words, .fp = 1, .called = true,
		.registers = true,
	};
	uint64_t frames[16];
	uintptr_t unknown;

	for (unsigned i = 0; i < 3; i++)
		memcpy(page + 16 * i, bytes, sizeof(bytes));
	cr_assert_eq(stack_walk(target_slot(), &from, frames, 16, &unknown), 4);
	for (unsigned i = 0; i < 3; i++)
		cr_expect_eq(frames[i], pc + 16 * (i + 1), "%u", i);
	cr_expect_eq(frames[3], STACK_WALK_CUT | FORMAT_CUT_TABLE);
}

/* The code behind the call in runtime.asmcgocall. */
static const unsigned char go_fixed[] = {
	0x48, 0x8b, 0x7c, 0x24, 0x30, 0x48, 0x8b, 0x77, 0x08, 0x48, 0x2b, 0x74,
	0x24, 0x28, 0x64, 0x48, 0x89, 0x3c, 0x25, 0xf8, 0xff, 0xff, 0xff, 0x48,
	0x89, 0xf4, 0x89, 0x44, 0x24, 0x18, 0xc3,
};

/* It in a program that may be at any address. */
static const unsigned char go_anywhere[] = {
	0x48, 0x8b, 0x0d, 1, 2, 3, 4, 0x48, 0x8b, 0x7c, 0x24, 0x30, 0x48, 0x8b,
	0x77, 0x08, 0x48, 0x2b, 0x74, 0x24, 0x28, 0x64, 0x48, 0x89, 0x39, 0x48,
	0x89, 0xf4, 0x89, 0x44, 0x24, 0x18, 0xc3,
};

/* A goroutine's stack, 16 words, of which the return address is the tenth. */
static uint64_t
caller_on_goroutine(const unsigned char *code, uintptr_t *own)
{
	const uintptr_t g[2] = { (uintptr_t)own, (uintptr_t)(own + 16) };
	uintptr_t words[8] = { 1, 1, 1, 1, 1, 6 * 8, (uintptr_t)g, 1 };

	own[10] = (uintptr_t)code + CALLER;
	return first_caller(code, words, true);
}

static void
expect_switch(unsigned char *code, const unsigned char *bytes, size_t n)
{
	static uintptr_t below[16];
	uintptr_t above[16];
	const uint64_t caller = (uintptr_t)code + CALLER;

	memcpy(code, bytes, n);
	cr_expect_eq(caller_on_goroutine(code, below), caller);
	cr_expect_eq(caller_on_goroutine(code, above), caller);
	for (size_t i = 0; i < n; i++) {
		const bool any = n == sizeof(go_fixed) ? i >= 19 && i < 23 :
		    i >= 3 && i < 7;

		code[i] ^= 1;
		cr_expect_eq(caller_on_goroutine(code, below), any ? caller :
		    (STACK_WALK_CUT | FORMAT_CUT_TABLE), "byte %zu", i);
		code[i] ^= 1;
	}
}

Test(unwind_known, go_calls_c)
{
	/* A return address is looked up by the byte before it. */
	unsigned char *code = code_page(mapped_file("prog", 4096)) + 1;
	unsigned char linked[sizeof(go_anywhere)];

	expect_switch(code, go_fixed, sizeof(go_fixed));
	expect_switch(code, go_anywhere, sizeof(go_anywhere));
	memcpy(linked, go_anywhere, sizeof(linked));
	memcpy(linked, "\x48\xc7\xc1", 3);
	expect_switch(code, linked, sizeof(linked));
}

/*
 * The code behind the call in runtime.systemstack, with offsets 8 to a struct
 * m, 256 to its goroutine and 16 to the stack pointer there.
 */
static const unsigned char go_system[] = {
	0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0, 0x48, 0x8b, 0x58, 8, 0x48,
	0x8b, 0x83, 0, 1, 0, 0, 0x64, 0x48, 0x89, 0x04, 0x25, 0, 0, 0, 0, 0x48,
	0x8b, 0x60, 16, 0x48, 0xc7, 0x40, 16, 0, 0, 0, 0, 0xc3,
};

/*
 * It in a newer Go, which keeps the frame pointer, too, in a program that may
 * be at any address.
 */
static const unsigned char go_system_fp[] = {
	0x48, 0xc7, 0xc1, 0, 0, 0, 0, 0x64, 0x48, 0x8b, 0x01, 0x48, 0x8b, 0x58,
	8, 0x48, 0x8b, 0x83, 0, 1, 0, 0, 0x64, 0x48, 0x89, 0x01, 0x48, 0x8b,
	0x60, 16, 0x48, 0x8b, 0x68, 24, 0x48, 0xc7, 0x40, 16, 0, 0, 0, 0, 0x48,
	0xc7, 0x40, 24, 0, 0, 0, 0, 0xc3,
};

static __thread uintptr_t *go_g;

/* Puts the offset of go_g into the code. */
static void
put_tls_offset(unsigned char *code)
{
	const int32_t offset = (int32_t)((intptr_t)&go_g -
	    (intptr_t)arch_thread_pointer(false));

	memcpy(code, &offset, sizeof(offset));
}

static uint64_t
caller_of_system(const unsigned char *code)
{
	static uintptr_t stack[4], g[4], m[64], own[4];
	uintptr_t words[2] = { 1, 1 };

	stack[1] = (uintptr_t)code + CALLER;
	g[2] = (uintptr_t)(stack + 1);
	g[3] = 1;
	m[32] = (uintptr_t)g;
	own[1] = (uintptr_t)m;
	go_g = own;
	return first_caller(code, words, true);
}

Test(unwind_known, go_calls_its_runtime)
{
	unsigned char *code = code_page(mapped_file("prog", 4096)) + 1;
	const uint64_t caller = (uintptr_t)code + CALLER;

	if ((getauxval(AT_HWCAP2) & ARCH_HWCAP_THREAD_PTR) == 0)
		cr_skip_test("programs cannot read the thread pointer");
	memcpy(code, go_system, sizeof(go_system));
	put_tls_offset(code + 5);
	put_tls_offset(code + 25);
	config.pointer_direct = true;
	cr_expect_eq(caller_of_system(code), caller);
	/* Without the instruction it would take a system call. */
	config.pointer_direct = false;
	cr_expect_eq(caller_of_system(code), STACK_WALK_CUT |
	    FORMAT_CUT_REGISTER);
	config.pointer_direct = true;
	for (size_t i = 0; i < sizeof(go_system); i++) {
		code[i] ^= 0x80;
		cr_expect_neq(caller_of_system(code), caller, "byte %zu", i);
		code[i] ^= 0x80;
	}
	memcpy(code, go_system_fp, sizeof(go_system_fp));
	put_tls_offset(code + 3);
	cr_expect_eq(caller_of_system(code), caller);
	code[46] ^= 8;
	cr_expect_eq(caller_of_system(code), STACK_WALK_CUT | FORMAT_CUT_TABLE);
}

/* Words that are not a struct g lead nowhere, and no fault is taken. */
Test(unwind_known, no_goroutine)
{
	/* A return address is looked up by the byte before it. */
	unsigned char *code = code_page(mapped_file("prog", 4096)) + 1;
	uintptr_t words[8] = { 0 };

	memcpy(code, go_fixed, sizeof(go_fixed));
	cr_expect_eq(first_caller(code, words, true), STACK_WALK_CUT |
	    FORMAT_CUT_UNREADABLE);
	words[6] = 3;
	cr_expect_eq(first_caller(code, words, true), STACK_WALK_CUT |
	    FORMAT_CUT_UNREADABLE);
}

#endif

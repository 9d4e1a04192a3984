/*
 * Context: O.  Tests of core/entry/entry_depth.c: what is known to be pushed,
 * and what is not known.
 */
#include "entry_depth.h"

#include <criterion/criterion.h>

/* Returns the bytes that the code pushes, or -1 if that is not known. */
static int
depth_of(const char *code, size_t bytes)
{
	uint8_t depth = 1;

	return entry_depth_find((const uint8_t *)code, bytes, &depth) ?
	    depth : -1;
}

#define DEPTH(code)	depth_of(code, sizeof(code) - 1)

Test(entry_depth, pushes_and_subtractions)
{
	cr_expect_eq(DEPTH(""), 0);
	cr_expect_eq(DEPTH("\x53"), 8, "push %%rbx");
	cr_expect_eq(DEPTH("\x41\x54\x55\x53"), 24, "push %%r12, %%rbp, %%rbx");
	cr_expect_eq(DEPTH("\x48\x83\xec\x18"), 0x18, "sub $24, %%rsp");
	cr_expect_eq(DEPTH("\x53\x48\x83\xec\x70\x50"), 0x80);
	cr_expect_eq(DEPTH("\x48\x83\xec\x78\x48\x83\xec\x78\x53"), 0xf8);
	cr_expect_eq(DEPTH("\x48\x83\xec\x78\x48\x83\xec\x78\x53\x53"), -1,
	    "no byte holds it");
}

Test(entry_depth, other_registers)
{
	cr_expect_eq(DEPTH("\x53\x48\x89\xfb"), 8, "mov %%rdi, %%rbx");
	cr_expect_eq(DEPTH("\x4c\x89\xe7"), 0, "mov %%r12, %%rdi");
	cr_expect_eq(DEPTH("\x53\x48\x8b\x1f"), 8, "mov (%%rdi), %%rbx");
	cr_expect_eq(DEPTH("\x31\xc0\x48\x63\xde\x85\xff"), 0);
	cr_expect_eq(DEPTH("\x48\x8d\x7c\x24\x08"), 0, "lea 8(%%rsp), %%rdi");
	cr_expect_eq(DEPTH("\x55\x48\x89\xe5"), 8, "mov %%rsp, %%rbp");
	cr_expect_eq(DEPTH("\x48\x8b\xec"), 0, "the same in its other form");
	cr_expect_eq(DEPTH("\x49\x89\xc4"), 0, "mov %%rax, %%r12");
	cr_expect_eq(DEPTH("\x4c\x8b\x27"), 0, "mov (%%rdi), %%r12");
}

Test(entry_depth, the_stack_pointer)
{
	cr_expect_eq(DEPTH("\x48\x89\xc4"), -1, "mov %%rax, %%rsp");
	cr_expect_eq(DEPTH("\x48\x8b\x27"), -1, "mov (%%rdi), %%rsp");
	cr_expect_eq(DEPTH("\x48\x8b\xe5"), -1, "mov %%rbp, %%rsp");
	cr_expect_eq(DEPTH("\x48\x63\xe0"), -1, "movslq %%eax, %%rsp");
	cr_expect_eq(DEPTH("\x48\x8d\x64\x24\xf8"), -1, "lea -8(%%rsp), %%rsp");
	cr_expect_eq(DEPTH("\x48\x29\xc4"), -1, "sub %%rax, %%rsp");
	cr_expect_eq(DEPTH("\x48\x83\xc4\x08"), -1, "add $8, %%rsp");
	cr_expect_eq(DEPTH("\x48\x83\xe4\xf0"), -1, "and $-16, %%rsp");
	cr_expect_eq(DEPTH("\x48\x83\xec\x84"), -1, "sub $-124, %%rsp");
	cr_expect_eq(DEPTH("\x48\x83\xec\x04"), -1, "sub $4, %%rsp");
	cr_expect_eq(DEPTH("\x83\xec\x08"), -1, "sub $8, %%esp");
	cr_expect_eq(DEPTH("\x66\x50"), -1, "push %%ax");
	cr_expect_eq(DEPTH("\x5b"), -1, "pop %%rbx");
	cr_expect_eq(DEPTH("\x6a\x01"), -1, "push $1");
	cr_expect_eq(DEPTH("\xc9"), -1, "leave");
	cr_expect_eq(DEPTH("\x9c"), -1, "pushf");
}

Test(entry_depth, what_does_not_go_on)
{
	cr_expect_eq(DEPTH("\xe8\0\0\0\0"), -1, "call");
	cr_expect_eq(DEPTH("\x74\x00"), -1, "je");
	cr_expect_eq(DEPTH("\x53\xc3"), -1, "ret");
	cr_expect_eq(DEPTH("\x06"), -1, "not of 64-bit mode");
	cr_expect_eq(DEPTH("\x48\x89"), -1, "cut off");
}

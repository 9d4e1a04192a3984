/*
 * Context: S.  Stubs that count calls of functions that map memory, x86-64.
 * The program's threads run them, in any signal handler, too.  Once counting
 * was asked for, the functions' names (preload/memory/stubs_x86_64.S) jump
 * here; doc/design/mappings.md.
 *
 * A stub calls the C function with a seventh argument, behind the six that the
 * function may have: a struct alloc_caller with the caller's registers as they
 * are after the call.
 */
#include "stub_functions.h"

	.text
	.macro	counting name
	.type	count_\name, @function
	.p2align 4
count_\name:
	.cfi_startproc
	endbr64
	subq	$56, %rsp
	.cfi_adjust_cfa_offset 56
	movq	56(%rsp), %rax
	leaq	64(%rsp), %r10
	movq	%rax, 16(%rsp)
	movq	%r10, 24(%rsp)
	movq	%rbp, 32(%rsp)
	movq	%rbx, 40(%rsp)
	leaq	16(%rsp), %rax
	movq	%rax, (%rsp)
	call	map_hooks_\name
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
	.cfi_endproc
	.size	count_\name, . - count_\name
	.endm

#define COUNTING(number, name)	counting name;
	MAP_REAL_FUNCTIONS(COUNTING)

	.section .data.rel.ro, "aw"
	.globl	map_dispatch_counting
	.hidden	map_dispatch_counting
	.type	map_dispatch_counting, @object
	.p2align 3
map_dispatch_counting:
#define COUNT_NAME(number, name)	.quad count_##name;
	MAP_REAL_FUNCTIONS(COUNT_NAME)
	.size	map_dispatch_counting, . - map_dispatch_counting
	.section .note.GNU-stack, "", @progbits

/*
 * Context: S.  Stubs that count calls of functions that map memory, aarch64.
 * The program's threads run them, in any signal handler, too.  Once counting
 * was asked for, the functions' names (preload/memory/stubs_aarch64.S) jump
 * here; doc/design/mappings.md.
 *
 * A stub calls the C function with a seventh argument, behind the six that the
 * function may have: a struct alloc_caller with the caller's registers as they
 * are after the call.
 */
#include "stub_functions.h"

	.text
	.macro	counting name
	.type	count_\name, %function
	.p2align 4
count_\name:
	.cfi_startproc
	hint	#34
	stp	x29, x30, [sp, #-48]!
	.cfi_adjust_cfa_offset 48
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	add	x6, sp, #48
	stp	x30, x6, [sp, #16]
	stp	x29, x19, [sp, #32]
	add	x6, sp, #16
	mov	x29, sp
	bl	map_hooks_\name
	ldp	x29, x30, [sp], #48
	.cfi_adjust_cfa_offset -48
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	count_\name, . - count_\name
	.endm

#define COUNTING(number, name)	counting name;
	MAP_REAL_FUNCTIONS(COUNTING)

	.section .data.rel.ro, "aw"
	.globl	map_dispatch_counting
	.hidden	map_dispatch_counting
	.type	map_dispatch_counting, %object
	.p2align 3
map_dispatch_counting:
#define COUNT_NAME(number, name)	.quad count_##name;
	MAP_REAL_FUNCTIONS(COUNT_NAME)
	.size	map_dispatch_counting, . - map_dispatch_counting
	.section .note.GNU-stack, "", %progbits

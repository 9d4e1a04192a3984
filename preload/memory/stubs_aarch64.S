/*
 * Context: T.  Defines the names of the functions that allocate and of those
 * that map memory, aarch64, which the program, its libraries and the loader
 * call, from the first; doc/design/heap.md, doc/design/mappings.md.
 *
 * Each function jumps by its word of alloc_dispatch_table or
 * map_dispatch_table.  If that is 0, the real functions are looked for first.
 * While this library is not relocated, which the place of alloc_thread_self
 * shows (it is 0), libc's function is called.
 */
#include "stub_functions.h"

	.text
	.macro	name which, number, function
	.globl	\function
	.type	\function, %function
	.p2align 4
\function:
	.cfi_startproc
	hint	#34			/* bti c */
	adrp	x16, \which\()_dispatch_table+8*\number
	ldr	x16, [x16, #:lo12:\which\()_dispatch_table+8*\number]
	cbz	x16, 1f
	br	x16
1:	adr	x16, \function
	mov	w15, #\number
	b	\which\()_first_call
	.cfi_endproc
	.size	\function, . - \function
	.endm

/*
 * Each looks for the real functions of its kind, with all arguments kept, and
 * begins the function again.  At 2: calls libc's function w15 while this
 * library is not relocated.
 */
	.type	alloc_first_call, %function
alloc_first_call:
	.cfi_startproc
	adrp	x17, :gottprel:alloc_thread_self
	ldr	x17, [x17, #:gottprel_lo12:alloc_thread_self]
	cbz	x17, 2f
	stp	x29, x30, [sp, #-48]!
	.cfi_adjust_cfa_offset 48
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #16]
	stp	x2, x16, [sp, #32]
	bl	hook_resolve_alloc
	ldp	x2, x16, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #48
	.cfi_adjust_cfa_offset -48
	.cfi_restore x30
	br	x16
2:	stp	x29, x30, [sp, #-64]!
	.cfi_adjust_cfa_offset 64
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	mov	w0, w15
	bl	hook_resolve_alloc_early
	mov	x16, x0
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #64
	.cfi_adjust_cfa_offset -64
	.cfi_restore x30
	cbz	x16, 3f
	br	x16
3:	b	alloc_dispatch_missing
	.cfi_endproc
	.size	alloc_first_call, . - alloc_first_call

	.type	map_first_call, %function
map_first_call:
	.cfi_startproc
	adrp	x17, :gottprel:alloc_thread_self
	ldr	x17, [x17, #:gottprel_lo12:alloc_thread_self]
	cbz	x17, 2f
	stp	x29, x30, [sp, #-80]!
	.cfi_adjust_cfa_offset 80
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	str	x16, [sp, #64]
	bl	hook_resolve_map
	ldr	x16, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #80
	.cfi_adjust_cfa_offset -80
	.cfi_restore x30
	br	x16
2:	stp	x29, x30, [sp, #-64]!
	.cfi_adjust_cfa_offset 64
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	mov	w0, w15
	bl	hook_resolve_map_early
	mov	x16, x0
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #64
	.cfi_adjust_cfa_offset -64
	.cfi_restore x30
	cbz	x16, 3f
	br	x16
3:	mov	x0, #-1
	ret
	.cfi_endproc
	.size	map_first_call, . - map_first_call

#define ALLOC_NAME(number, function)	name alloc, number, function;
#define MAP_NAME(number, function)	name map, number, function;
	ALLOC_DISPATCH_FUNCTIONS(ALLOC_NAME)
	MAP_REAL_FUNCTIONS(MAP_NAME)

	.section .note.GNU-stack, "", %progbits

/*
 * Context: S.  Stubs that count calls of allocation functions, aarch64.  The
 * program's threads run them, in any signal handler, too.  Once counting was
 * asked for, the functions' names (preload/memory/stubs_aarch64.S) jump here;
 * doc/design/heap.md.
 */
#include "stub_functions.h"

	.text
/*
 * A stub that counts all calls.  It calls the C function with a fourth
 * argument: a struct alloc_caller with the caller's registers as they are after
 * the call.  which: number of an operator, the fifth argument; 0: none.
 */
	.macro	counting name, function, which=0
	.type	count_\name, %function
	.p2align 4
count_\name:
	.cfi_startproc
	hint	#34
	stp	x29, x30, [sp, #-48]!
	.cfi_adjust_cfa_offset 48
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	add	x3, sp, #48
	stp	x30, x3, [sp, #16]
	stp	x29, x19, [sp, #32]
	add	x3, sp, #16
	mov	x29, sp
	.if	\which
	mov	w4, #\which
	.endif
	bl	alloc_hooks_\function
	ldp	x29, x30, [sp], #48
	.cfi_adjust_cfa_offset -48
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	count_\name, . - count_\name
	.endm

#define COUNTING(number, name)		counting name, name;
#define COUNTING_NEW(number, name)	counting number, new, number;
#define COUNTING_DELETE(number, name)	counting number, delete, number;
	ALLOC_DISPATCH_FUNCTIONS(COUNTING)
	ALLOC_DISPATCH_NEW(COUNTING_NEW)
	ALLOC_DISPATCH_DELETE(COUNTING_DELETE)

/*
 * Stubs where only some blocks are counted.  A stub takes n + 1 (in x11) off
 * the bytes that are left to the next chosen block, and jumps to the real
 * function; only a chosen block goes to the stub that counts.  Offsets in
 * struct alloc_thread: 8 until, 16 last, 24 blocks.
 */
	.macro	own_alloc_thread else
	adrp	x10, :gottprel:alloc_thread_self
	ldr	x10, [x10, #:gottprel_lo12:alloc_thread_self]
	mrs	x9, tpidr_el0
	ldr	x9, [x9, x10]
	cbz	x9, \else
	.endm

	.macro	pass_by number, name
	ldr	x10, [x9, #8]
	subs	x10, x10, x11
	b.lo	count_\name
	stp	x10, xzr, [x9, #8]
	go_by	\number
	.endm

	.macro	go_by number, words=alloc_dispatch_real
	adrp	x16, \words+8*\number
	ldr	x16, [x16, #:lo12:\words+8*\number]
	br	x16
	.endm

	.macro	begin name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	hint	#34
	.endm

	.macro	end name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.macro	sampling_alloc number, name
	begin	sample_\name
	own_alloc_thread count_\name
	add	x11, x0, #1
	pass_by	\number, \name
	end	sample_\name
	.endm

/*
 * A block is not counted if no block of its region of 64 KiB is.  Offset 4 in
 * struct block_region is `used`.
 */
	.macro	sampling_free number, name
	begin	sample_\name
	own_alloc_thread 1f
	ldr	x10, [x9, #24]
	cbz	x10, 1f
	ubfx	x11, x0, #32, #16
	ldr	x10, [x10, x11, lsl #3]
	cbz	x10, 1f
	ubfx	x11, x0, #16, #16
	add	x10, x10, x11, lsl #4
	ldrh	w10, [x10, #4]
	cbnz	w10, count_\name
1:	go_by	\number
	end	sample_\name
	.endm

	sampling_alloc 0, malloc
	sampling_free 1, free

	begin	sample_calloc
	own_alloc_thread count_calloc
	umulh	x11, x0, x1
	cbnz	x11, count_calloc
	mul	x11, x0, x1
	add	x11, x11, #1
	pass_by	2, calloc
	end	sample_calloc

#define SAMPLING_NEW(number, name)	sampling_alloc number, number;
#define SAMPLING_DELETE(number, name)	sampling_free number, number;
	ALLOC_DISPATCH_NEW(SAMPLING_NEW)
	ALLOC_DISPATCH_DELETE(SAMPLING_DELETE)

/*
 * A stub that jumps by its word of alloc_dispatch_entry_table, for callers that
 * were redirected.
 */
	.macro	entry number
	begin	enter_\number
	go_by	\number, alloc_dispatch_entry_table
	end	enter_\number
	.endm

#define ENTRY(number, name)	entry number;
	ALLOC_DISPATCH_FUNCTIONS(ENTRY)
	ALLOC_DISPATCH_OPERATORS(ENTRY)

	.macro	table name
	.globl	\name
	.hidden	\name
	.type	\name, %object
	.p2align 3
\name:
	.endm

	.section .data.rel.ro, "aw"
#define COUNT_NAME(number, name)	.quad count_##name;
#define COUNT_NUMBER(number, name)	.quad count_##number;
	table	alloc_dispatch_counting
	ALLOC_DISPATCH_FUNCTIONS(COUNT_NAME)
	ALLOC_DISPATCH_OPERATORS(COUNT_NUMBER)
	.size	alloc_dispatch_counting, . - alloc_dispatch_counting

	/* A function without a stub of its own here counts each call. */
	.macro	sampling_row name
	.ifdef	sample_\name
	.quad	sample_\name
	.else
	.quad	count_\name
	.endif
	.endm

#define SAMPLE_NAME(number, name)	sampling_row name;
#define SAMPLE_NUMBER(number, name)	sampling_row number;
	table	alloc_dispatch_sampling
	ALLOC_DISPATCH_FUNCTIONS(SAMPLE_NAME)
	ALLOC_DISPATCH_OPERATORS(SAMPLE_NUMBER)
	.size	alloc_dispatch_sampling, . - alloc_dispatch_sampling

#define ENTER_NUMBER(number, name)	.quad enter_##number;
	table	alloc_dispatch_entry
	ALLOC_DISPATCH_FUNCTIONS(ENTER_NUMBER)
	ALLOC_DISPATCH_OPERATORS(ENTER_NUMBER)
	.size	alloc_dispatch_entry, . - alloc_dispatch_entry
	.section .note.GNU-stack, "", %progbits

/*
 * Context: S.  Stubs that count calls of allocation functions, x86-64.  The
 * program's threads run them, in any signal handler, too.  Once counting was
 * asked for, the functions' names (preload/memory/stubs_x86_64.S) jump here;
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
	.type	count_\name, @function
	.p2align 4
count_\name:
	.cfi_startproc
	endbr64
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	movq	40(%rsp), %rax
	leaq	48(%rsp), %rcx
	movq	%rax, (%rsp)
	movq	%rcx, 8(%rsp)
	movq	%rbp, 16(%rsp)
	movq	%rbx, 24(%rsp)
	movq	%rsp, %rcx
	.if	\which
	movl	$\which, %r8d
	.endif
	call	alloc_hooks_\function
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
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
 * Stubs where only some blocks are counted.  A stub takes n + 1 (in %rcx) off
 * the bytes that are left to the next chosen block, and jumps to the real
 * function; only a chosen block goes to the stub that counts.  Offsets in
 * struct alloc_thread: 8 until, 16 last, 24 blocks.
 */
	.macro	own_alloc_thread else
	movq	alloc_thread_self@gottpoff(%rip), %r11
	movq	%fs:(%r11), %r11
	testq	%r11, %r11
	jz	\else
	.endm

	.macro	pass_by number, name
	subq	%rcx, 8(%r11)
	jb	1f
	movq	$0, 16(%r11)
	jmp	*alloc_dispatch_real+8*\number(%rip)
1:	addq	%rcx, 8(%r11)
	jmp	count_\name
	.endm

	.macro	begin name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	endbr64
	.endm

	.macro	end name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.macro	sampling_alloc number, name
	begin	sample_\name
	own_alloc_thread count_\name
	leaq	1(%rdi), %rcx
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
	movq	24(%r11), %rax
	testq	%rax, %rax
	jz	1f
	movq	%rdi, %rcx
	shrq	$32, %rcx
	movzwl	%cx, %ecx
	movq	(%rax,%rcx,8), %rax
	testq	%rax, %rax
	jz	1f
	movl	%edi, %ecx
	shrl	$16, %ecx
	shlq	$4, %rcx
	cmpw	$0, 4(%rax,%rcx)
	jne	count_\name
1:	jmp	*alloc_dispatch_real+8*\number(%rip)
	end	sample_\name
	.endm

	sampling_alloc 0, malloc
	sampling_free 1, free

	begin	sample_calloc
	own_alloc_thread count_calloc
	movq	%rdi, %rax
	mulq	%rsi
	jo	count_calloc
	leaq	1(%rax), %rcx
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
	jmp	*alloc_dispatch_entry_table+8*\number(%rip)
	end	enter_\number
	.endm

#define ENTRY(number, name)	entry number;
	ALLOC_DISPATCH_FUNCTIONS(ENTRY)
	ALLOC_DISPATCH_OPERATORS(ENTRY)

	.macro	table name
	.globl	\name
	.hidden	\name
	.type	\name, @object
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
	.section .note.GNU-stack, "", @progbits

/*
 * Context: S.  Allocation functions, counted: what their names jump to while that is on; x86-64,
 * doc/internals.md, section 22.
 */
	.text
	.globl	heap_nothing
	.hidden	heap_nothing
	.type	heap_nothing, @function
heap_nothing:
	.cfi_startproc
	xorl	%eax, %eax
	ret
	.cfi_endproc
	.size	heap_nothing, . - heap_nothing

/*
 * The fourth argument: struct heap_from, of the caller's registers as they are when the call
 * is over.
 */
	.macro	counting function
	.type	count_\function, @function
	.p2align 4
count_\function:
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
	call	heapcall_\function
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
	.cfi_endproc
	.size	count_\function, . - count_\function
	.endm

	.irp	function, malloc, free, calloc, realloc, reallocarray, posix_memalign, \
	    aligned_alloc, memalign, valloc, pvalloc, cfree, free_sized, free_aligned_sized
	counting \function
	.endr

	.section .data.rel.ro, "aw"
	.globl	heap_counting
	.hidden	heap_counting
	.type	heap_counting, @object
	.p2align 3
heap_counting:
	.irp	function, malloc, free, calloc, realloc, reallocarray, posix_memalign, \
	    aligned_alloc, memalign, valloc, pvalloc, cfree, free_sized, free_aligned_sized
	.quad	count_\function
	.endr
	.size	heap_counting, . - heap_counting
	.section .note.GNU-stack, "", @progbits

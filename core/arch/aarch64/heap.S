/*
 * Context: S.  Allocation functions, counted: what their names jump to while that is on; aarch64,
 * doc/internals.md, section 22.
 */
	.text
	.globl	heap_nothing
	.hidden	heap_nothing
	.type	heap_nothing, %function
heap_nothing:
	.cfi_startproc
	mov	x0, #0
	ret
	.cfi_endproc
	.size	heap_nothing, . - heap_nothing

/*
 * The fourth argument: struct heap_from, of the caller's registers as they are when the call
 * is over.
 */
	.macro	counting function
	.type	count_\function, %function
	.p2align 4
count_\function:
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
	bl	heapcall_\function
	ldp	x29, x30, [sp], #48
	.cfi_adjust_cfa_offset -48
	.cfi_restore x29
	.cfi_restore x30
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
	.type	heap_counting, %object
	.p2align 3
heap_counting:
	.irp	function, malloc, free, calloc, realloc, reallocarray, posix_memalign, \
	    aligned_alloc, memalign, valloc, pvalloc, cfree, free_sized, free_aligned_sized
	.quad	count_\function
	.endr
	.size	heap_counting, . - heap_counting
	.section .note.GNU-stack, "", %progbits

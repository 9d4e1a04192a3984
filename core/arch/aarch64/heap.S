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

/*
 * Of a sample: n + 1 bytes more, in x11, and the real function, but for the one block of many
 * that is counted.  struct lane: +8 until, +16 last, +24 blocks.
 */
	.macro	own_lane else
	adrp	x10, :gottprel:thread_lane
	ldr	x10, [x10, #:gottprel_lo12:thread_lane]
	mrs	x9, tpidr_el0
	ldr	x9, [x9, x10]
	cbz	x9, \else
	.endm

	.macro	pass_by number, function
	ldr	x10, [x9, #8]
	subs	x10, x10, x11
	b.lo	count_\function
	stp	x10, xzr, [x9, #8]
	go_by	\number
	.endm

	.macro	go_by number
	adrp	x16, heap_real+8*\number
	ldr	x16, [x16, #:lo12:heap_real+8*\number]
	br	x16
	.endm

	.macro	sampling function
	.type	sample_\function, %function
	.p2align 4
sample_\function:
	.cfi_startproc
	hint	#34
	.endm

	.macro	end function
	.cfi_endproc
	.size	sample_\function, . - sample_\function
	.endm

	sampling malloc
	own_lane count_malloc
	add	x11, x0, #1
	pass_by	0, malloc
	end	malloc

	sampling calloc
	own_lane count_calloc
	umulh	x11, x0, x1
	cbnz	x11, count_calloc
	mul	x11, x0, x1
	add	x11, x11, #1
	pass_by	2, calloc
	end	calloc

/* Where no block of its 64 KiB is counted, this one is not: struct region, +4 used. */
	sampling free
	own_lane 1f
	ldr	x10, [x9, #24]
	cbz	x10, 1f
	ubfx	x11, x0, #32, #16
	ldr	x10, [x10, x11, lsl #3]
	cbz	x10, 1f
	ubfx	x11, x0, #16, #16
	add	x10, x10, x11, lsl #4
	ldrh	w10, [x10, #4]
	cbnz	w10, count_free
1:	go_by	1
	end	free

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
	.globl	heap_sampling
	.hidden	heap_sampling
	.type	heap_sampling, %object
	.p2align 3
heap_sampling:
	.irp	function, sample_malloc, sample_free, sample_calloc, count_realloc, \
	    count_reallocarray, count_posix_memalign, count_aligned_alloc, count_memalign, \
	    count_valloc, count_pvalloc, count_cfree, count_free_sized, \
	    count_free_aligned_sized
	.quad	\function
	.endr
	.size	heap_sampling, . - heap_sampling
	.section .note.GNU-stack, "", %progbits

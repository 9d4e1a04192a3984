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

/*
 * Of a sample: n + 1 bytes more, in %rcx, and the real function, but for the one block of many
 * that is counted.  struct lane: +8 until, +16 last, +24 blocks.
 */
	.macro	own_lane else
	movq	thread_lane@gottpoff(%rip), %r11
	movq	%fs:(%r11), %r11
	testq	%r11, %r11
	jz	\else
	.endm

	.macro	pass_by number, function
	subq	%rcx, 8(%r11)
	jb	1f
	movq	$0, 16(%r11)
	jmp	*heap_real+8*\number(%rip)
1:	addq	%rcx, 8(%r11)
	jmp	count_\function
	.endm

	.macro	sampling function
	.type	sample_\function, @function
	.p2align 4
sample_\function:
	.cfi_startproc
	endbr64
	.endm

	.macro	end function
	.cfi_endproc
	.size	sample_\function, . - sample_\function
	.endm

	sampling malloc
	own_lane count_malloc
	leaq	1(%rdi), %rcx
	pass_by	0, malloc
	end	malloc

	sampling calloc
	own_lane count_calloc
	movq	%rdi, %rax
	mulq	%rsi
	jo	count_calloc
	leaq	1(%rax), %rcx
	pass_by	2, calloc
	end	calloc

/* Where no block of its 64 KiB is counted, this one is not: struct region, +4 used. */
	sampling free
	own_lane 1f
	movq	24(%r11), %rdx
	testq	%rdx, %rdx
	jz	1f
	movq	%rdi, %rcx
	shrq	$32, %rcx
	movzwl	%cx, %ecx
	movq	(%rdx,%rcx,8), %rdx
	testq	%rdx, %rdx
	jz	1f
	movl	%edi, %ecx
	shrl	$16, %ecx
	shlq	$4, %rcx
	cmpw	$0, 4(%rdx,%rcx)
	jne	count_free
1:	jmp	*heap_real+8*1(%rip)
	end	free

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
	.globl	heap_sampling
	.hidden	heap_sampling
	.type	heap_sampling, @object
	.p2align 3
heap_sampling:
	.irp	function, sample_malloc, sample_free, sample_calloc, count_realloc, \
	    count_reallocarray, count_posix_memalign, count_aligned_alloc, count_memalign, \
	    count_valloc, count_pvalloc, count_cfree, count_free_sized, \
	    count_free_aligned_sized
	.quad	\function
	.endr
	.size	heap_sampling, . - heap_sampling
	.section .note.GNU-stack, "", @progbits

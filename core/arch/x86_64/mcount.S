/*
 * Context: S.  Stubs that count calls by arc, x86-64: mcount, __fentry__ and
 * __cyg_profile_func_enter; doc/design/calls.md.
 *
 * Code that was built with -pg or -finstrument-functions calls them, in any
 * thread and any signal handler, also in a frozen process and in a vfork child.
 *
 * gcc and clang call the first two with live registers: all arguments, %al
 * (vectors of a variadic call) and %r10 (static chain); %r11 and the flags are
 * free.  The stack need not be aligned.  The stubs keep %rax and %rdx below the
 * stack pointer, where no signal writes within 128 bytes.  The path of a known
 * arc needs %rax alone: each instruction costs time, while operands in memory
 * do not.
 *
 * A resolver of another object's symbols can call a stub before this library is
 * relocated.  The place of arc_shard_self is still 0 then, and only code and
 * data that are addressed relative to the instruction pointer may be used.
 */
	.set	SHARD, 64		/* struct arc_shard, the mask first */
	.set	ENTRY, 32		/* arc_entry: self, from, -, count */

/*
 * Sets %r11, which holds the shard, to the first of the two entries that the
 * arc can be in, less SHARD; clobbers %rax.
 */
	.macro	find_entry from, self
	imulq	$0x1e3779b1, \from, %rax
	addq	\self, %rax
	imulq	$0x45ebca6b, %rax, %rax
	shrq	$27, %rax
	andq	(%r11), %rax
	addq	%rax, %r11
	.endm

/*
 * Defines a stub for a call from the return address at \from; saved_from: the
 * same place after the registers are pushed; real: the word of arc_real; if it
 * is not 0, the stub jumps to that function when it does not find the arc.
 */
	.macro	stub name, from, saved_from, real
	.globl	\name
	.type	\name, @function
	.p2align 5
\name:
	.cfi_startproc
	endbr64
	movq	arc_shard_self@gottpoff(%rip), %r11
	movq	%rax, -8(%rsp)
	testq	%r11, %r11
	jz	5f
	movq	%fs:(%r11), %r11
	testq	%r11, %r11
	jz	3f
	find_entry \from, (%rsp)
	movq	(%rsp), %rax
	cmpq	%rax, SHARD(%r11)
	jne	2f
	movq	\from, %rax
	cmpq	%rax, SHARD+8(%r11)
	jne	2f
	movq	SHARD+24(%r11), %rax
1:	incq	(%rax)
	movq	-8(%rsp), %rax
	ret
2:	movq	(%rsp), %rax
	cmpq	%rax, SHARD+ENTRY(%r11)
	jne	3f
	movq	\from, %rax
	cmpq	%rax, SHARD+ENTRY+8(%r11)
	jne	3f
	movq	SHARD+ENTRY+24(%r11), %rax
	jmp	1b
3:	movq	\real(%rip), %r11
	testq	%r11, %r11
	jnz	4f
	movq	%rdx, -16(%rsp)
	movq	(%rsp), %rdx
	leaq	-16(%rsp), %rsp
	.cfi_adjust_cfa_offset 16
	.irp	reg, rcx, rsi, rdi, r8, r9, r10, rbx
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	.cfi_rel_offset %rbx, 0
	movq	%rdx, %rdi
	movq	\saved_from, %rsi
	movq	%rsp, %rbx
	.cfi_remember_state
	.cfi_def_cfa_register %rbx
	andq	$-16, %rsp
	call	arc_miss
	movq	%rbx, %rsp
	.cfi_restore_state
	movl	%eax, %r11d
	.irp	reg, rbx, r10, r9, r8, rdi, rsi, rcx
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	movq	8(%rsp), %rax
	movq	(%rsp), %rdx
	leaq	16(%rsp), %rsp
	.cfi_adjust_cfa_offset -16
	testb	%r11b, %r11b
	jnz	\name
	ret
4:	movq	-8(%rsp), %rax
	jmp	*%r11
5:	lock incq arc_early(%rip)
	ret
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.text
/*
 * mcount is called after the prologue: the frame pointer is set, and the
 * caller's return address is above it.
 */
	stub	mcount, 8(%rbp), 8(%rbp), arc_real
	.globl	_mcount
	.type	_mcount, @function
	.set	_mcount, mcount

/*
 * __fentry__ is called before the prologue.  72: bytes that the stub has
 * pushed.
 */
	stub	__fentry__, 8(%rsp), 8+72(%rsp), arc_real+8

/* __cyg_profile_func_enter(function, call site) is called as any C function. */
	.globl	__cyg_profile_func_enter
	.type	__cyg_profile_func_enter, @function
	.p2align 5
__cyg_profile_func_enter:
	.cfi_startproc
	endbr64
	movq	arc_shard_self@gottpoff(%rip), %r11
	testq	%r11, %r11
	jz	5f
	movq	%fs:(%r11), %r11
	testq	%r11, %r11
	jz	3f
	cmpq	$1, %rdi		/* 0 and 1 mark free entries */
	jbe	3f
	find_entry %rsi, %rdi
	cmpq	%rdi, SHARD(%r11)
	jne	2f
	cmpq	%rsi, SHARD+8(%r11)
	jne	2f
	movq	SHARD+24(%r11), %rax
	incq	(%rax)
	ret
2:	cmpq	%rdi, SHARD+ENTRY(%r11)
	jne	3f
	cmpq	%rsi, SHARD+ENTRY+8(%r11)
	jne	3f
	movq	SHARD+ENTRY+24(%r11), %rax
	incq	(%rax)
	ret
3:	movq	arc_real+16(%rip), %r11
	testq	%r11, %r11
	jnz	4f
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	arc_miss
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	testb	%al, %al
	jnz	__cyg_profile_func_enter
	ret
4:	jmp	*%r11
5:	lock incq arc_early(%rip)
	ret
	.cfi_endproc
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

	.globl	__cyg_profile_func_exit
	.type	__cyg_profile_func_exit, @function
	.p2align 4
__cyg_profile_func_exit:
	.cfi_startproc
	endbr64
	movq	arc_real+24(%rip), %r11
	testq	%r11, %r11
	jnz	1f
	ret
1:	jmp	*%r11
	.cfi_endproc
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit
	.section .note.GNU-stack, "", @progbits

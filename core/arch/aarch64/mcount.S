/*
 * Context: S.  Stubs that count calls by arc, aarch64: _mcount and
 * __cyg_profile_func_enter; doc/design/calls.md.
 *
 * Code that was built with -pg or -finstrument-functions calls them, in any
 * thread and any signal handler, also in a frozen process and in a vfork child.
 *
 * _mcount is called as a C function.  gcc passes the return address of its
 * caller, from x30 or from where that was saved; clang passes nothing, but the
 * caller has a frame record.  The instruction before the call shows which of
 * both it was: gcc moves a register into x0.
 */
	.set	SHARD, 64		/* struct arc_shard, the mask first */
	.set	ENTRY, 32		/* arc_entry: self, from, -, count */

/*
 * Counts the arc {x0 self, x1 from}.  If it is in neither of its two entries,
 * calls arc_miss(), and begins again at \name if that returns true.
 */
	.macro	count name
	adrp	x9, :gottprel:arc_shard_self
	ldr	x9, [x9, #:gottprel_lo12:arc_shard_self]
	cbz	x9, 6f			/* not relocated yet */
	mrs	x10, tpidr_el0
	ldr	x9, [x10, x9]
	cbz	x9, 3f
	movz	x10, #0x79b1
	movk	x10, #0x1e37, lsl #16
	madd	x10, x1, x10, x0
	movz	x11, #0xca6b
	movk	x11, #0x45eb, lsl #16
	mul	x10, x10, x11
	ldr	x11, [x9]
	and	x10, x11, x10, lsr #27
	add	x9, x9, x10
	ldp	x10, x11, [x9, #SHARD]
	cmp	x10, x0
	ccmp	x11, x1, #0, eq
	b.ne	2f
	ldr	x9, [x9, #SHARD+24]
1:	ldxr	x10, [x9]	/* a signal handler ends the reservation */
	add	x10, x10, #1
	stxr	w11, x10, [x9]
	cbnz	w11, 1b
	ret
2:	ldp	x10, x11, [x9, #SHARD+ENTRY]
	cmp	x10, x0
	ccmp	x11, x1, #0, eq
	b.ne	3f
	ldr	x9, [x9, #SHARD+ENTRY+24]
	b	1b
3:	stp	x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x30, 8
	stp	x2, x3, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	bl	arc_miss
	ldp	x2, x3, [sp], #16
	.cfi_adjust_cfa_offset -16
	ldp	x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x30
	mov	w9, w0
	mov	x0, x2
	mov	x1, x3
	tbnz	w9, #0, \name
	ret
6:	adrp	x9, arc_early
	add	x9, x9, #:lo12:arc_early
7:	ldxr	x10, [x9]
	add	x10, x10, #1
	stxr	w11, x10, [x9]
	cbnz	w11, 7b
	ret
	.endm

	.text
	.globl	_mcount
	.type	_mcount, %function
	.p2align 4
_mcount:
	.cfi_startproc
	hint	#34			/* bti c */
	adrp	x9, arc_real
	ldr	x9, [x9, #:lo12:arc_real]
	cbnz	x9, 5f
	ldur	w9, [x30, #-8]
	mov	w10, #0x03e0		/* mov x0, xN is aa..03e0 */
	movk	w10, #0xaa00, lsl #16
	and	w9, w9, #0xffe0ffff
	cmp	w9, w10
	mov	x2, x0
	mov	x3, x1
	mov	x1, x0
	b.eq	4f
	ldr	x1, [x29, #8]
4:	mov	x0, x30
	count	_mcount
5:	mov	x16, x9
	br	x16
	.cfi_endproc
	.size	_mcount, . - _mcount

/* No compiler calls these here; the export list is one for all CPUs. */
	.globl	mcount, __fentry__
	.type	mcount, %function
	.type	__fentry__, %function
	.set	mcount, _mcount
	.set	__fentry__, _mcount

	.globl	__cyg_profile_func_enter
	.type	__cyg_profile_func_enter, %function
	.p2align 4
__cyg_profile_func_enter:
	.cfi_startproc
	hint	#34
	adrp	x9, arc_real
	add	x9, x9, #:lo12:arc_real
	ldr	x9, [x9, #16]
	cbnz	x9, 5f
	mov	x2, x0
	mov	x3, x1
	cmp	x0, #1			/* 0 and 1 mark free entries */
	b.ls	8f
	count	__cyg_profile_func_enter
8:	b	3b
5:	br	x9
	.cfi_endproc
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

	.globl	__cyg_profile_func_exit
	.type	__cyg_profile_func_exit, %function
__cyg_profile_func_exit:
	.cfi_startproc
	hint	#34
	adrp	x9, arc_real
	add	x9, x9, #:lo12:arc_real
	ldr	x9, [x9, #24]
	cbnz	x9, 5f
	ret
5:	br	x9
	.cfi_endproc
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit
	.section .note.GNU-stack, "", %progbits

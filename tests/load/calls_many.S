/*
 * Context: load.  CALLEES functions f0, f1, ... as gcc -pg compiles them, and a
 * table of them; too many to compile from C in a test.  PLAIN: without -pg.
 */
	.altmacro
	.macro	function n
	.globl	f\n
	.type	f\n, @function
f\n:	pushq	%rbp
	movq	%rsp, %rbp
#ifndef PLAIN
	call	*mcount@GOTPCREL(%rip)
#endif
	leaq	1(%rdi), %rax
	popq	%rbp
	ret
	.size	f\n, . - f\n
	.endm
	.macro	entry n
	.quad	f\n
	.endm

	.text
	.set	i, 0
	.rept	CALLEES
	function %i
	.set	i, i + 1
	.endr

	.section .data.rel.ro, "aw", @progbits
	.globl	table
	.type	table, @object
table:
	.set	i, 0
	.rept	CALLEES
	entry	%i
	.set	i, i + 1
	.endr
	.size	table, . - table

	.section .note.GNU-stack, "", @progbits

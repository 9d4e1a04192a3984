/*
 * Context: T.  Defines the names of the functions that allocate and of those
 * that map memory, x86-64, which the program, its libraries and the loader
 * call, from the first; doc/design/heap.md, doc/design/mappings.md.
 *
 * Each function jumps by its word of alloc_dispatch_table or
 * map_dispatch_table.  If that is 0, the real functions are looked for first.
 * While this library is not relocated, which the place of alloc_thread_self
 * shows (it is 0), libc's function is called.  %rax is free at the entry
 * of all of them.
 */
#include "stub_functions.h"

	.text
	.macro	name which, number, function
	.globl	\function
	.type	\function, @function
	.p2align 4
\function:
	.cfi_startproc
	endbr64
	movq	\which\()_dispatch_table+8*\number(%rip), %rax
	testq	%rax, %rax
	jz	1f
	jmp	*%rax
1:	leaq	\function(%rip), %rax
	movl	$\number, %r10d
	jmp	\which\()_first_call
	.cfi_endproc
	.size	\function, . - \function
	.endm

/*
 * Each looks for the real functions of its kind, with all arguments kept, and
 * begins the function again.  At 2: calls libc's function %r10d while this
 * library is not relocated.
 */
	.type	alloc_first_call, @function
alloc_first_call:
	.cfi_startproc
	movq	alloc_thread_self@gottpoff(%rip), %r11
	testq	%r11, %r11
	jz	2f
	.irp	reg, rdi, rsi, rdx, rcx, rax
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	call	hook_resolve_alloc
	.irp	reg, rax, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	jmp	*%rax
2:	.irp	reg, rdi, rsi, rdx, rcx, r8, r9, r9
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	movl	%r10d, %edi
	call	hook_resolve_alloc_early
	.irp	reg, r9, r9, r8, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	testq	%rax, %rax
	jz	3f
	jmp	*%rax
3:	jmp	alloc_dispatch_missing
	.cfi_endproc
	.size	alloc_first_call, . - alloc_first_call

	.type	map_first_call, @function
map_first_call:
	.cfi_startproc
	movq	alloc_thread_self@gottpoff(%rip), %r11
	testq	%r11, %r11
	jz	2f
	.irp	reg, rdi, rsi, rdx, rcx, r8, r9, rax
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	call	hook_resolve_map
	.irp	reg, rax, r9, r8, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	jmp	*%rax
2:	.irp	reg, rdi, rsi, rdx, rcx, r8, r9, r9
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	movl	%r10d, %edi
	call	hook_resolve_map_early
	.irp	reg, r9, r9, r8, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	testq	%rax, %rax
	jz	3f
	jmp	*%rax
3:	movq	$-1, %rax
	ret
	.cfi_endproc
	.size	map_first_call, . - map_first_call

#define ALLOC_NAME(number, function)	name alloc, number, function;
#define MAP_NAME(number, function)	name map, number, function;
	ALLOC_DISPATCH_FUNCTIONS(ALLOC_NAME)
	MAP_REAL_FUNCTIONS(MAP_NAME)

	.section .note.GNU-stack, "", @progbits

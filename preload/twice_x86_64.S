/*
 * Context: T.  vfork(2) and syscall(2), x86-64: both can return twice or on another stack, so
 * neither may have a frame.
 *
 * vfork keeps its return address in %rdi, which the kernel preserves: the child runs on our
 * stack and overwrites it there.
 */
#include <sys/syscall.h>

	.set	SLOT_WATCHED, 8		/* core/hot/state.h */

	.text
	.globl	vfork, __vfork
	.type	vfork, @function
	.type	__vfork, @function
	.p2align 4
vfork:
__vfork:
	.cfi_startproc
	endbr64
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	hook_vfork_enter
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rdi
	movl	$SYS_vfork, %eax
	syscall
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rip, 0
	testq	%rax, %rax
	jz	1f
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	js	2f
	call	hook_vfork_leave
	popq	%rax
	.cfi_adjust_cfa_offset -8
1:	ret
	.cfi_adjust_cfa_offset 8
2:	movq	%rax, %rdi
	call	hook_vfork_failed
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork

	.globl	syscall
	.type	syscall, @function
	.p2align 4
syscall:
	.cfi_startproc
	endbr64
	cmpq	$SYS_seccomp, %rdi
	je	3f
	cmpq	$SYS_execve, %rdi
	je	3f
	cmpq	$SYS_execveat, %rdi
	je	3f
	cmpq	$SYS_exit_group, %rdi
	je	3f
	cmpq	$SYS_exit, %rdi
	je	3f
	cmpq	$SYS_rt_sigaction, %rdi
	je	3f
	cmpq	$SYS_fork, %rdi
	je	3f
	cmpq	$SYS_chroot, %rdi
	je	3f
	cmpq	$SYS_pivot_root, %rdi
	je	3f
	cmpq	$SYS_setuid, %rdi
	je	3f
	cmpq	$SYS_setreuid, %rdi
	je	3f
	cmpq	$SYS_setresuid, %rdi
	je	3f
	cmpq	$SYS_setfsuid, %rdi
	je	3f
	cmpq	$SYS_capset, %rdi
	je	3f
	cmpq	$SYS_unshare, %rdi
	je	3f
	cmpq	$SYS_setns, %rdi
	je	3f
	cmpq	$446, %rdi		/* landlock_restrict_self */
	je	3f
	cmpq	$SYS_clone, %rdi
	je	2f
1:	movq	slot_self@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rax
	testq	%rax, %rax
	jz	5f
	cmpl	$0, SLOT_WATCHED(%rax)
	jne	4f			/* it may sleep: hook_sleep.c */
5:	movq	hook_real_syscall(%rip), %rax
	testq	%rax, %rax
	jz	3f
	jmp	*%rax
2:	testl	$0x100, %esi		/* CLONE_VM: not a process of its own */
	jnz	1b
	testq	%rdx, %rdx		/* on the caller's stack: may have frames */
	jnz	1b
3:	pushq	8(%rsp)			/* the sixth argument of the call */
	.cfi_adjust_cfa_offset 8
	call	hook_syscall
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
4:	.irp	reg, rdi, rsi, rdx, rcx, r8, r9
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	clock_before_sleep
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	.irp	reg, r9, r8, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	jmp	5b
	.cfi_endproc
	.size	syscall, . - syscall
	.section .note.GNU-stack, "", @progbits

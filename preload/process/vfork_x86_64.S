/*
 * Context: T.  Hooks of vfork(2) and syscall(2), x86-64, which the program
 * calls: both can return twice or on another stack, so neither may have a
 * frame.  The C parts are in hook_fork.c and hook_syscall.c.
 *
 * vfork keeps its return address in %rdi, which the kernel preserves: the child
 * runs on the parent's stack and overwrites the address there.
 */
#include <sys/syscall.h>

	.set	THREAD_SLOT_SLEEP_CHECK, 8	/* core/hot/base/slot_state.h */
	.set	CLONE3, 435		/* Linux 5.3 */

	.text
	.globl	vfork, __vfork
	.type	vfork, @function
	.type	__vfork, @function
	.p2align 4
vfork:
__vfork:
own_vfork:
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
	movq	%rax, %rdi
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
	movq	thread_slot_self@gottpoff(%rip), %rax
	testq	%rax, %rax		/* not relocated: no TLS, no hook */
	jz	10f
	cmpq	$SYS_seccomp, %rdi
	je	3f
	cmpq	$SYS_prctl, %rdi
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
	cmpq	$SYS_setgid, %rdi
	je	3f
	cmpq	$SYS_setregid, %rdi
	je	3f
	cmpq	$SYS_setresgid, %rdi
	je	3f
	cmpq	$SYS_setfsgid, %rdi
	je	3f
	cmpq	$SYS_setgroups, %rdi
	je	3f
	cmpq	$SYS_sigaltstack, %rdi
	je	3f
	cmpq	$SYS_capset, %rdi
	je	3f
	cmpq	$SYS_setrlimit, %rdi
	je	3f
	cmpq	$SYS_prlimit64, %rdi
	je	3f
	cmpq	$SYS_unshare, %rdi
	je	3f
	cmpq	$SYS_setns, %rdi
	je	3f
	cmpq	$446, %rdi		/* landlock_restrict_self */
	je	3f
#ifdef SYS_vfork
	cmpq	$SYS_vfork, %rdi
	je	own_vfork
#endif
	cmpq	$SYS_clone, %rdi
	je	2f
	cmpq	$CLONE3, %rdi
	je	2f
	movq	%fs:(%rax), %rax
	testq	%rax, %rax
	jz	12f
	cmpl	$0, THREAD_SLOT_SLEEP_CHECK(%rax)
	jne	13f			/* the call may sleep: hook_sleep.c */
12:	movq	hook_real_syscall(%rip), %rax
	testq	%rax, %rax
	jz	3f
	jmp	*%rax
10:	.irp	reg, rdi, rsi, rdx, rcx, r8, r9, rax
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	leaq	name_of_syscall(%rip), %rdi
	call	real_find_unrelocated
	movq	%rax, %r11
	.irp	reg, rax, r9, r8, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	testq	%r11, %r11
	jz	11f
	jmp	*%r11
11:	movq	$-1, %rax
	ret
2:	.irp	reg, rdi, rsi, rdx, rcx, r8, r9, r9
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	call	hook_clone_enter
	.irp	reg, r9, r9, r8, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	testq	%rax, %rax
	js	4f			/* the child has its own stack */
	testl	$0x100, %eax		/* CLONE_VM */
	jnz	4f
3:	pushq	8(%rsp)			/* the call's sixth argument */
	.cfi_adjust_cfa_offset 8
	call	hook_syscall
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
/*
 * The child runs on another stack, or overwrites this one.  The return address
 * is in %r9, which is no argument of these two calls.  For clone3, bit 63 of
 * %rdx says that the child has a stack of its own.
 */
4:	cmpq	$SYS_clone, %rdi
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	jne	6f
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	.cfi_remember_state
	popq	%r9
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %r9
	movl	$SYS_clone, %eax
	syscall
	testq	%rax, %rax
	jz	5f
	pushq	%r9
	.cfi_restore_state
	movq	%rax, %rsi
	jmp	8f
5:	testq	%rsi, %rsi
	jnz	7f
	pushq	%r9
7:	ret
6:	movq	%rax, %rdx
	.cfi_remember_state
	popq	%r9
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %r9
	movl	$CLONE3, %eax
	syscall
	testq	%rax, %rax
	jz	9f
	pushq	%r9
	.cfi_restore_state
	movq	%rdx, %rdi
	movq	%rax, %rsi
8:	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	hook_clone_leave
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
9:	testq	%rdx, %rdx
	js	7b
	pushq	%r9
	ret
13:	.irp	reg, rdi, rsi, rdx, rcx, r8, r9
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	thread_clock_before_sleep
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	.irp	reg, r9, r8, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	jmp	12b
	.cfi_endproc
	.size	syscall, . - syscall
	.section .rodata
name_of_syscall:
	.asciz	"syscall"
	.section .note.GNU-stack, "", @progbits

/*
 * Context: T.  Hooks of vfork(2) and syscall(2), aarch64, which the program
 * calls: both can return twice or on another stack, so neither may have a
 * frame.  The return address stays in x30 over the system call.  The C parts
 * are in hook_fork.c and hook_syscall.c.
 */
#include <sys/syscall.h>

	.set	THREAD_SLOT_SLEEP_CHECK, 8	/* core/hot/base/slot_state.h */
	.set	CLONE3, 435		/* Linux 5.3 */

	.text
	.globl	vfork, __vfork
	.type	vfork, %function
	.type	__vfork, %function
	.p2align 4
vfork:
__vfork:
	.cfi_startproc
	stp	x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x30, 8
	bl	hook_vfork_enter
	ldp	x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x30
	mov	x0, #0x4111		/* CLONE_VFORK | CLONE_VM | SIGCHLD */
	mov	x1, xzr
	mov	x2, xzr
	mov	x3, xzr
	mov	x4, xzr
	mov	x8, #SYS_clone
	svc	#0
	cbz	x0, 1f
	stp	x0, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x30, 8
	tbnz	x0, #63, 2f
	bl	hook_vfork_leave
	ldp	x0, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x30
1:	ret
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x30, 8
2:	bl	hook_vfork_failed
	ldr	x30, [sp, #8]
	add	sp, sp, #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork

	.globl	syscall
	.type	syscall, %function
	.p2align 4
syscall:
	.cfi_startproc
	adrp	x17, :gottprel:thread_slot_self
	ldr	x17, [x17, #:gottprel_lo12:thread_slot_self]
	cbz	x17, 6f			/* not relocated: no TLS, no hook */
	cmp	x0, #SYS_seccomp
	b.eq	3f
	cmp	x0, #SYS_prctl
	b.eq	3f
	cmp	x0, #SYS_execve
	b.eq	3f
	cmp	x0, #SYS_execveat
	b.eq	3f
	cmp	x0, #SYS_exit_group
	b.eq	3f
	cmp	x0, #SYS_exit
	b.eq	3f
	cmp	x0, #SYS_rt_sigaction
	b.eq	3f
	cmp	x0, #SYS_chroot
	b.eq	3f
	cmp	x0, #SYS_pivot_root
	b.eq	3f
	cmp	x0, #SYS_setuid
	b.eq	3f
	cmp	x0, #SYS_setreuid
	b.eq	3f
	cmp	x0, #SYS_setresuid
	b.eq	3f
	cmp	x0, #SYS_setfsuid
	b.eq	3f
	cmp	x0, #SYS_setgid
	b.eq	3f
	cmp	x0, #SYS_setregid
	b.eq	3f
	cmp	x0, #SYS_setresgid
	b.eq	3f
	cmp	x0, #SYS_setfsgid
	b.eq	3f
	cmp	x0, #SYS_setgroups
	b.eq	3f
	cmp	x0, #SYS_sigaltstack
	b.eq	3f
	cmp	x0, #SYS_capset
	b.eq	3f
	cmp	x0, #SYS_setrlimit
	b.eq	3f
	cmp	x0, #SYS_prlimit64
	b.eq	3f
	cmp	x0, #SYS_unshare
	b.eq	3f
	cmp	x0, #SYS_setns
	b.eq	3f
	cmp	x0, #446		/* landlock_restrict_self */
	b.eq	3f
	cmp	x0, #SYS_clone
	b.eq	2f
	cmp	x0, #CLONE3
	b.eq	2f
	mrs	x16, tpidr_el0
	ldr	x17, [x16, x17]
	cbz	x17, 12f
	ldr	w17, [x17, #THREAD_SLOT_SLEEP_CHECK]
	cbnz	w17, 11f		/* the call may sleep: hook_sleep.c */
12:	adrp	x9, hook_real_syscall
	ldr	x9, [x9, #:lo12:hook_real_syscall]
	cbz	x9, 3f
	br	x9
6:	stp	x0, x1, [sp, #-64]!
	.cfi_adjust_cfa_offset 64
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x30, [sp, #48]
	.cfi_rel_offset x30, 56
	adrp	x0, name_of_syscall
	add	x0, x0, #:lo12:name_of_syscall
	bl	real_find_unrelocated
	mov	x9, x0
	ldp	x6, x30, [sp, #48]
	ldp	x4, x5, [sp, #32]
	ldp	x2, x3, [sp, #16]
	ldp	x0, x1, [sp], #64
	.cfi_adjust_cfa_offset -64
	.cfi_restore x30
	cbz	x9, 7f
	br	x9
7:	mov	x0, #-1
	ret
2:	stp	x0, x1, [sp, #-64]!
	.cfi_adjust_cfa_offset 64
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x30, [sp, #48]
	.cfi_rel_offset x30, 56
	bl	hook_clone_enter
	mov	x9, x0
	ldp	x6, x30, [sp, #48]
	ldp	x4, x5, [sp, #32]
	ldp	x2, x3, [sp, #16]
	ldp	x0, x1, [sp], #64
	.cfi_adjust_cfa_offset -64
	.cfi_restore x30
	tbnz	x9, #63, 4f		/* the child has its own stack */
	tbnz	x9, #8, 4f		/* CLONE_VM */
3:	b	hook_syscall
/*
 * The child runs on another stack, or overwrites this one, so nothing is on it.
 */
4:	mov	x8, x0
	mov	x0, x1
	mov	x1, x2
	mov	x2, x3
	mov	x3, x4
	mov	x4, x5
	svc	#0
	cbz	x0, 5f
	stp	x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x30, 8
	mov	x1, x0
	mov	x0, x9
	bl	hook_clone_leave
	ldp	x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x30
5:	ret
11:	stp	x29, x30, [sp, #-80]!
	.cfi_adjust_cfa_offset 80
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	bl	thread_clock_before_sleep
	ldp	x6, x7, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #80
	.cfi_adjust_cfa_offset -80
	.cfi_restore x30
	b	12b
	.cfi_endproc
	.size	syscall, . - syscall
	.section .rodata
name_of_syscall:
	.asciz	"syscall"
	.section .note.GNU-stack, "", %progbits

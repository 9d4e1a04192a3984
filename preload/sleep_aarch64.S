/*
 * Context: T.  Hooks of the functions in which a thread sleeps, aarch64, which
 * the program calls; doc/design/clocks.md.
 *
 * Each stub jumps to libc's function, after it has called hook_sleep() if it
 * must; sleep_x86_64.S says when.
 */
	.set	THREAD_SLOT_SLEEP_CHECK, 8	/* core/hot/base/slot_state.h */

	.text
	.macro	name number, function
	.globl	\function
	.type	\function, %function
	.p2align 4
\function:
	.cfi_startproc
	hint	#34			/* bti c */
	mrs	x16, tpidr_el0
	adrp	x17, :gottprel:thread_slot_self
	ldr	x17, [x17, #:gottprel_lo12:thread_slot_self]
	cbz	x17, 2f
	ldr	x17, [x16, x17]
	mov	w16, #\number
	cbz	x17, 1f
	ldr	w17, [x17, #THREAD_SLOT_SLEEP_CHECK]
	cbnz	w17, look
1:	adrp	x17, sleep_real+8*\number
	ldr	x17, [x17, #:lo12:sleep_real+8*\number]
	cbz	x17, look
	br	x17
2:	mov	w16, #\number
	b	look_early
	.cfi_endproc
	.size	\function, . - \function
	.endm

/*
 * Calls the C function and jumps to its result.  Keeps the arguments; the
 * function's number is in w16.
 */
	.macro	ask label, hook
	.type	\label, %function
\label:
	.cfi_startproc
	stp	x29, x30, [sp, #-80]!
	.cfi_adjust_cfa_offset 80
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]	/* __recvfrom_chk has seven */
	mov	w0, w16
	bl	\hook
	mov	x17, x0
	ldp	x6, x7, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #80
	.cfi_adjust_cfa_offset -80
	.cfi_restore x30
	br	x17
	.cfi_endproc
	.size	\label, . - \label
	.endm

	ask	look, hook_sleep
	ask	look_early, hook_sleep_early

	.set	number, 0
	.macro	names functions:vararg
	.irp	function, \functions
	name	number, \function
	.set	number, number + 1
	.endr
	.endm

	names	nanosleep, clock_nanosleep, usleep, sleep, poll, __poll_chk
	names	select, epoll_wait, read, __read_chk
	names	recv, __recv_chk, recvfrom, __recvfrom_chk, recvmsg, accept
	names	accept4, sem_wait, sem_timedwait, sem_clockwait
	names	readv, recvmmsg, write, writev, send, sendto, sendmsg, connect
	names	ioctl, flock
	names	msgrcv, msgsnd, mq_receive, mq_timedreceive, mq_send, semop
	names	semtimedop
	names	pause, wait, wait3, wait4, waitpid, waitid, sched_yield
	names	thrd_sleep
	names	pthread_cond_wait, pthread_cond_timedwait
	names	pthread_cond_clockwait
	names	cnd_wait, cnd_timedwait, pthread_barrier_wait, pthread_join
	names	thrd_join

	.section .note.GNU-stack, "", %progbits

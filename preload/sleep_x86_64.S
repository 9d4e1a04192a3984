/*
 * Context: T.  Hooks of the functions in which a thread sleeps, x86-64, which
 * the program calls; doc/design/clocks.md.
 *
 * Each stub jumps to libc's function and so has no frame: a thread may be
 * canceled in there.  A stub calls hook_sleep() first only if the thread's
 * coarse clock may be missing it, or if libc's function has not been found yet.
 * While the library is not relocated, which the offset of its TLS shows, there
 * is no TLS either: hook_sleep_early() needs none.
 */
	.set	THREAD_SLOT_SLEEP_CHECK, 8	/* core/hot/base/slot_state.h */

	.text
	.macro	name number, function
	.globl	\function
	.type	\function, @function
	.p2align 4
\function:
	.cfi_startproc
	endbr64
	movq	thread_slot_self@gottpoff(%rip), %rax
	testq	%rax, %rax
	jz	3f
	movq	%fs:(%rax), %rax
	testq	%rax, %rax
	jz	1f
	cmpl	$0, THREAD_SLOT_SLEEP_CHECK(%rax)
	jne	2f
1:	movq	sleep_real+8*\number(%rip), %r11
	testq	%r11, %r11
	jz	2f
	jmp	*%r11
2:	movl	$\number, %eax
	jmp	look
3:	movl	$\number, %eax
	jmp	look_early
	.cfi_endproc
	.size	\function, . - \function
	.endm

/*
 * Calls the C function and jumps to its result.  Keeps the arguments; the
 * function's number is in %eax.
 */
	.macro	ask label, hook
	.type	\label, @function
\label:
	.cfi_startproc
	.irp	reg, rdi, rsi, rdx, rcx, r8, r9, rax
	pushq	%\reg
	.cfi_adjust_cfa_offset 8
	.endr
	movl	%eax, %edi
	call	\hook
	movq	%rax, %r11
	.irp	reg, rax, r9, r8, rcx, rdx, rsi, rdi
	popq	%\reg
	.cfi_adjust_cfa_offset -8
	.endr
	jmp	*%r11
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

	.section .note.GNU-stack, "", @progbits

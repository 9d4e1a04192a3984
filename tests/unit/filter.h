/* Context: O.  Words of classic BPF, for tests of seccomp filters. */
#ifndef FILTER_H
#define FILTER_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCH		AUDIT_ARCH_X86_64
#define OTHER_ARCH	AUDIT_ARCH_I386
#else
#define ARCH		AUDIT_ARCH_AARCH64
#define OTHER_ARCH	AUDIT_ARCH_ARM
#endif
#define RETURN		SYS_rt_sigreturn

#define LD(field)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
	(uint32_t)offsetof(struct seccomp_data, field))
#define JEQ(k, t, f)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(k), \
	t, f)
#define JMP(op, k, t, f) BPF_JUMP(BPF_JMP | (op) | BPF_K, (uint32_t)(k), t, f)
#define ALU(op, k)	BPF_STMT(BPF_ALU | (op) | BPF_K, (uint32_t)(k))
#define ALU_X(op)	BPF_STMT(BPF_ALU | (op) | BPF_X, 0)
#define RET(action)	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_##action)
#define NO		RET(KILL_PROCESS)
#define YES		RET(ALLOW)

#endif

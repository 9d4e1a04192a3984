/* Context: O.  Records of the kernel's buffers, each checked as it is read. */
#ifndef KRECORD_H
#define KRECORD_H

#include "kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked of each sample; stacks and registers beside it. */
#define KRECORD_SAMPLE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | \
    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

#define KRECORD_REGS	64u	/* registers at most */

struct krecord {
	uint32_t type;		/* PERF_RECORD_* */
	uint32_t misc;
	uint64_t time;		/* CLOCK_MONOTONIC; 0 = it has none */
	uint64_t id;		/* of the event */
	int32_t pid, tid;
	uint32_t cpu;

	/* Of a sample. */
	uint64_t ip, period;
	const unsigned char *chain;	/* addresses of 8 bytes, not aligned */
	uint64_t chain_count;
	uint64_t abi, regs[KRECORD_REGS];	/* abi 0: there are none */
	unsigned reg_count;
	const unsigned char *stack;	/* a copy from the stack pointer up */
	uint64_t stack_bytes;

	/* Of a mapping. */
	uint64_t start, length, offset;
	uint64_t device, inode;	/* or, where the kernel read it: */
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	bool executable;

	int32_t ppid, ptid;	/* of a fork */
	uint64_t lost;		/* samples */
	const char *text;	/* path or name, ended by NUL */
};

/* How samples were asked for. */
struct krecord_form {
	uint64_t sample_type;
	uint64_t regs;		/* sample_regs_user */
};

/* False: it is none, or not whole; then *k holds nothing. */
bool krecord_read(struct krecord *k, const struct krecord_form *form,
    const unsigned char *bytes, size_t size);

/* Its size, which is at least that of a header; 0: no record is there. */
size_t krecord_size(const unsigned char *bytes, size_t left);

static inline uint64_t
krecord_caller(const struct krecord *k, uint64_t i)
{
	uint64_t address;

	__builtin_memcpy(&address, k->chain + i * sizeof(address),
	    sizeof(address));
	return address;
}

#endif

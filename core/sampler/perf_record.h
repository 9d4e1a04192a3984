/* Context: O.  Records of the kernel's buffers, each checked as it is read. */
#ifndef PERF_RECORD_H
#define PERF_RECORD_H

#include "perf_open.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked of each sample; stacks and registers beside it. */
#define PERF_RECORD_SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | \
    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

#define PERF_RECORD_REGS	64u	/* registers at most */

struct perf_record {
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
	uint64_t abi, regs[PERF_RECORD_REGS];	/* abi 0: there are none */
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
struct perf_record_form {
	uint64_t sample_type;
	uint64_t regs;		/* sample_regs_user */
};

/* False: it is none, or not whole; then *k holds nothing. */
bool perf_record_read(struct perf_record *k,
    const struct perf_record_form *form, const unsigned char *bytes,
    size_t size);

/* Its size, which is at least that of a header; 0: no record is there. */
size_t perf_record_size(const unsigned char *bytes, size_t left);

static inline uint64_t
perf_record_caller(const struct perf_record *k, uint64_t i)
{
	uint64_t address;

	__builtin_memcpy(&address, k->chain + i * sizeof(address),
	    sizeof(address));
	return address;
}

#endif

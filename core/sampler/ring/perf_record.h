/*
 * Context: O.  Decodes and checks the ring entries of the kernel, its
 * "records": event_order.c and perf_buffer.c read them, the address spaces and
 * the unwinder use what was decoded.
 */
#ifndef PERF_RECORD_H
#define PERF_RECORD_H

#include "event/perf_open.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contents of each sample, apart from stacks and registers. */
#define PERF_RECORD_SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | \
    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

#define PERF_RECORD_REGS	64u	/* most registers of a sample */

/* A decoded ring entry.  Pointers lead into its bytes. */
struct perf_record {
	uint32_t type;		/* PERF_RECORD_* */
	uint32_t misc;
	uint64_t time;		/* CLOCK_MONOTONIC; 0: none */
	uint64_t id;		/* id of the event */
	int32_t pid, tid;
	uint32_t cpu;

	/* Fields of a sample. */
	uint64_t ip, period;
	/* addresses, 8 bytes each, not aligned */
	const unsigned char *chain;
	uint64_t chain_count;
	uint64_t abi, regs[PERF_RECORD_REGS];	/* abi 0: no registers */
	unsigned reg_count;
	/* copy of the stack, from the stack pointer up */
	const unsigned char *stack;
	uint64_t stack_bytes;

	/* Fields of a mapping. */
	uint64_t start, length, offset;
	/* device and inode, or else the build-id, which the kernel has read */
	uint64_t device, inode;
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	bool executable;

	int32_t ppid, ptid;	/* fields of a fork */
	uint64_t lost;		/* lost samples */
	const char *text;	/* path or name, ended by NUL */
};

/* How samples were asked for. */
struct perf_record_form {
	uint64_t sample_type;
	uint64_t regs;		/* sample_regs_user */
};

/*
 * Decodes the ring entry at `bytes`.  Returns false, with *k zeroed, if there
 * is none or it is not complete.
 */
bool perf_record_read(struct perf_record *k,
    const struct perf_record_form *form, const unsigned char *bytes,
    size_t size);

/*
 * Returns the size of the ring entry at `bytes`, at least that of a header; 0
 * if no whole ring entry is there.
 */
size_t perf_record_size(const unsigned char *bytes, size_t left);

/* Returns the i-th address of a sample's call chain. */
static inline uint64_t
perf_record_caller(const struct perf_record *k, uint64_t i)
{
	uint64_t address;

	__builtin_memcpy(&address, k->chain + i * sizeof(address),
	    sizeof(address));
	return address;
}

#endif

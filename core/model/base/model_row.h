/*
 * Context: O.  The counts of a model: rows, allocations at their places, arcs
 * and moments; model.h includes it for all.
 */
#ifndef MODEL_ROW_H
#define MODEL_ROW_H

#include "decode/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Row kind beside enum format_kind: CPU time that no sample stands for. */
#define MODEL_REST	100u

/*
 * Row kind: counted calls of the function at the address, which have no time.
 * The number is exact where a profile has counted calls.
 */
#define MODEL_CALLS	101u

/* No process, thread, function or file: several, not kept or not known. */
#define MODEL_NONE	UINT32_MAX

/*
 * Time, samples and calls of one key.  The key is module, kind, address,
 * process, thread and stack.
 */
struct model_row {
	uint32_t module;
	uint32_t kind;	/* enum format_kind, MODEL_REST or MODEL_CALLS */
	uint64_t address;
	uint32_t process;	/* MODEL_NONE = several, or not kept */
	uint32_t thread;	/* MODEL_NONE = several, or not kept */
	uint32_t function;	/* set by symbolize_all() */
	/* frame that called this place; 0 = none, or not kept */
	uint32_t stack;
	uint32_t scope;	/* index in model.scopes of the innermost scope */
	/* number of scopes; 0 = not kept, or not known */
	uint32_t scopes;
	/* 1 + function that stands above all callers; 0 = none */
	uint32_t root;
	uint64_t count;		/* samples */
	uint64_t ns;		/* weight: ns, or the value of model.measure */
	uint64_t calls;
	/* the row's number before model_finish() sorted the rows */
	uint32_t number;
};

/* Allocations at the place of a row, in all processes that share the row. */
struct model_heap {
	uint64_t live_bytes, live_blocks;
	/* bytes live at the peak of the process */
	uint64_t peak_bytes;
	uint64_t total_bytes, total_blocks;
	uint64_t freed_bytes;
	uint64_t temporary_blocks;
	/*
	 * most bytes live of each call path of a thread, each path at its own
	 * time, summed over the paths
	 */
	uint64_t high_bytes;
	uint64_t high_paths;	/* number of call paths in high_bytes */
	/*
	 * sampled blocks on which all these numbers rest; 0 = each block was
	 * counted
	 */
	uint64_t samples;
	/* Mappings, which are not included in the blocks. */
	uint64_t mapped_bytes, mapped_peak_bytes, mapped_total_bytes;
	uint64_t mappings;	/* number of mappings made */
};

/*
 * Counted calls from one address to a function.  The rows are set by
 * model_add_arc(): their numbers, their indexes after model_finish().
 */
struct model_arc {
	uint32_t self_module, from_module;
	uint64_t self, from;
	uint32_t self_process, from_process;
	uint64_t calls;
	uint32_t self_row, from_row;
};

/* A sample with its time, where the file recorded times. */
struct model_moment {
	uint64_t real;		/* end of the sampled time, ns since 1970 */
	uint32_t ns;		/* length of the sampled time */
	/* number of its row; its index after model_finish() */
	uint32_t row;
};

/*
 * Returns the address by which the function of a row is looked up.  For a
 * return address and for one behind a system call that is an address inside the
 * call: the instruction after a call that never returns belongs to the next
 * function.
 */
static inline uint64_t
model_lookup_address(const struct model_row *r)
{
	return r->kind == FORMAT_KERNEL || r->kind == FORMAT_SLEEP ||
	    r->kind == FORMAT_FRAME ? r->address - 1 : r->address;
}

/*
 * Returns whether rows of that kind are callers, which count nothing
 * themselves.
 */
static inline bool
model_is_caller(uint32_t kind)
{
	return kind == FORMAT_FRAME || kind == FORMAT_INTERRUPTED;
}

/*
 * Returns whether rows of that kind stand for CPU time.  Time asleep
 * (FORMAT_SLEEP) does not.
 */
static inline bool
model_is_cpu(uint32_t kind)
{
	return kind != FORMAT_SLEEP;
}

/*
 * One point of a heap's timeline: live bytes of a process and its resident
 * memory at one time.
 */
struct model_point {
	uint32_t process;
	uint64_t ns;		/* time since the start of the process, ns */
	/*
	 * bytes of live blocks, or of mappings where only mappings are counted
	 */
	uint64_t live_bytes;
	uint64_t resident_bytes; /* 0 = not known */
};

#endif

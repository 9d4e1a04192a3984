/*
 * Context: O.  Time of the lines and instructions of functions: their own, and
 * with what they called.  For prof's view of annotated code (core/view/table),
 * which makes and frees it.
 */
#ifndef CODE_TIMES_H
#define CODE_TIMES_H

#include "base/hash_index.h"
#include "base/model.h"

/* Kind of place that a time belongs to. */
enum code_time_kind {
	/* a source line, wherever its function was compiled or inlined */
	CODE_TIME_LINE,
	/* a source line, only where its function was inlined */
	CODE_TIME_INLINED,
	/* an instruction of a compiled function */
	CODE_TIME_ADDRESS,
};

/* Time of a line or an instruction, in the model's metric. */
struct code_time {
	uint32_t function;
	enum code_time_kind kind;
	/*
	 * place in the source of `function`: of a call that was inlined there,
	 * the place of the call; MODEL_NONE and 0 = not known
	 */
	uint32_t file, line;
	uint64_t address;	/* of an instruction; else 0 */
	/* place in the source of the innermost inlined function */
	uint32_t inner_file, inner_line;
	uint64_t self_ns;	/* time at the place itself */
	uint64_t count;		/* samples in self_ns */
	/* time of all stacks that pass through it, of each stack once */
	uint64_t total_ns;
	uint64_t stamp;		/* 1 + last row that was added */
};

/* Sums of one function. */
struct code_time_function {
	uint64_t self_ns, inlined_ns, total_ns;
	uint64_t stamp;
};

/* The times of the chosen functions. */
struct code_times {
	/* ascending by function, kind, file, line and address */
	struct code_time *all;
	size_t count, room;
	struct hash_index by_place;	/* until they are sorted */
	struct code_time_function *functions;	/* by function */
	uint64_t all_ns;	/* time of all rows, except time asleep */
};

/*
 * Sums the rows of CPU time (or of a metric of the heap) by the lines and
 * instructions of the functions f with wanted[f].  Lines and inlined functions
 * are known if the model keeps lines, totals if it keeps stacks.  Call it after
 * symbolize_all().  Returns 0 or -ENOMEM; call code_times_free() in either
 * case.
 */
int code_times_make(struct code_times *t, const struct model *m,
    const bool *wanted);

/* Frees the times. */
void code_times_free(struct code_times *t);

/*
 * Returns the index in t->all of the first time of that function and kind, and
 * sets *count to the number of these, which can be 0.
 */
size_t code_times_find(const struct code_times *t, uint32_t function,
    enum code_time_kind kind, size_t *count);

#endif

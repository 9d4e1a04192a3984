/*
 * Context: O.  The time of each instruction of a function in a page, by thread
 * or by sample.  For html_code.c, a function at a time; html_code_totals.c asks
 * whether it is by sample.
 */
#ifndef HTML_CODE_COSTS_H
#define HTML_CODE_COSTS_H

#include "html/html_tree.h"
#include "table/code.h"

#include <stdio.h>

/* Time of an instruction in one thread or sample. */
struct html_code_cost {
	size_t at;		/* its number; code.count: none of them */
	uint32_t of;		/* number of the thread or sample */
	uint64_t ns;
};

/* The times of a function.  All fields 0: there are none. */
struct html_code_costs {
	/* Ascending by instruction, then by thread or sample */
	struct html_code_cost *all;
	size_t count, room;
	bool by_sample;		/* `of` is a sample, not a thread */
};

/*
 * Returns whether the times of code are by sample, not by thread: the page
 * knows the times of samples, has several metrics of them, or tells CPU time
 * from time asleep.
 */
bool html_code_costs_by_sample(const struct model *m,
    const struct html_tree_samples *samples);

/*
 * Sums up the time of each instruction of a function, whose code is `code`, in
 * place of the times that *c had.  Returns 0 or -ENOMEM;
 * html_code_costs_free() must be called in the end.
 */
int html_code_costs_collect(struct html_code_costs *c, const struct model *m,
    const struct html_tree_samples *samples, const struct code *code,
    uint32_t function);
/* Writes the times as columns, further members of a JSON object. */
void html_code_costs_put(const struct html_code_costs *c, FILE *out);
/* Frees the times. */
void html_code_costs_free(struct html_code_costs *c);

#endif

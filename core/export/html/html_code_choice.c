/*
 * Context: O.  Chooses the functions whose code is in a page, for html_code.c;
 * see html_code_choice.h.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "html/html_code_choice.h"

#include "base/compare.h"
#include "html/html_samples.h"

#include <errno.h>
#include <stdlib.h>

/* The state of choosing. */
struct code_choice {
	const struct model *model;
	const struct html_tree_samples *samples;
	const uint32_t *numbers;
	uint64_t *weights;	/* by sample */
	uint64_t all;		/* sum of the weights */
	/* By function: its time, that with what it called, the last sample */
	uint64_t *self, *total;
	size_t *stamps;
	bool *taken;
	uint32_t *sorted;	/* functions, by one of these times */
};

/* Adds a sample to the time with what it called of a function on its stack. */
static void
add_to_total(struct code_choice *c, uint32_t function, size_t sample)
{
	if (function == MODEL_NONE || c->stamps[function] == sample + 1)
		return;
	c->stamps[function] = sample + 1;
	c->total[function] += c->weights[sample];
}

/*
 * Sums up the weights of samples by function: its own, and those with what it
 * called, recursion once.
 */
static void
sum_times(struct code_choice *c)
{
	const struct model *m = c->model;

	c->all = html_samples_weights(m, c->samples, c->weights);
	for (size_t i = 0; i < c->samples->count; i++) {
		const struct model_row *r =
		    &m->rows[c->samples->all[i].row];

		if (r->function != MODEL_NONE)
			c->self[r->function] += c->weights[i];
		add_to_total(c, r->function, i);
		for (uint32_t f = r->stack; f != 0;
		    f = m->stacks.frames[f].caller)
			add_to_total(c, m->stacks.frames[f].function, i);
	}
}

static int
compare_time(const void *left, const void *right, void *ns)
{
	const uint32_t a = *(const uint32_t *)left;
	const uint32_t b = *(const uint32_t *)right;
	const uint64_t *all = ns;
	const int d = compare_u64(all[b], all[a]);

	return d != 0 ? d : compare_u64(a, b);
}

/*
 * Sorts the functions that have time and are in the page, the one with the most
 * first.  Returns their number.
 */
static uint32_t
sort_functions(struct code_choice *c, uint64_t *ns)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->model->function_count; i++)
		if (ns[i] != 0 && c->numbers[i] != 0)
			c->sorted[count++] = i;
	if (count > 1)
		qsort_r(c->sorted, count, sizeof(*c->sorted), compare_time, ns);
	return count;
}

/* Sets order[] to the functions with the most time.  Returns their number. */
static uint32_t
take_by_time(struct code_choice *c, uint32_t *order)
{
	const uint32_t count = sort_functions(c, c->self);
	uint64_t sum = 0;
	uint32_t taken = 0;

	while (taken < count && taken < HTML_CODE_FUNCTIONS &&
	    (double)sum * 100 < (double)c->all * HTML_CODE_PERCENT) {
		order[taken] = c->sorted[taken];
		c->taken[order[taken]] = true;
		sum += c->self[order[taken++]];
	}
	return taken;
}

/*
 * Adds to the `taken` functions in order[] those with much time in what they
 * called.  Returns the number of all.
 */
static uint32_t
take_by_total(struct code_choice *c, uint32_t *order, uint32_t taken)
{
	const uint32_t count = sort_functions(c, c->total);

	for (uint32_t i = 0; i < count && taken < HTML_CODE_FUNCTIONS &&
	    (double)c->total[c->sorted[i]] * 100 >=
	    (double)c->all * HTML_CODE_TOTAL_PERCENT; i++)
		if (!c->taken[c->sorted[i]])
			order[taken++] = c->sorted[i];
	return taken;
}

int
html_code_choose(const struct model *m, const struct html_tree_samples *samples,
    const uint32_t *numbers, uint32_t **order, uint32_t *count)
{
	const size_t functions = m->function_count + 1;
	struct code_choice c = {
		.model = m, .samples = samples, .numbers = numbers,
		.weights = calloc(samples->count + 1, sizeof(uint64_t)),
		.self = calloc(functions, sizeof(uint64_t)),
		.total = calloc(functions, sizeof(uint64_t)),
		.stamps = calloc(functions, sizeof(size_t)),
		.taken = calloc(functions, sizeof(bool)),
		.sorted = calloc(functions, sizeof(uint32_t)),
	};
	int ret = -ENOMEM;

	*order = calloc(HTML_CODE_FUNCTIONS, sizeof(**order));
	if (*order != NULL && c.weights != NULL && c.self != NULL &&
	    c.total != NULL && c.stamps != NULL && c.taken != NULL &&
	    c.sorted != NULL) {
		sum_times(&c);
		*count = take_by_time(&c, *order);
		*count = take_by_total(&c, *order, *count);
		ret = 0;
	}
	free(c.weights);
	free(c.self);
	free(c.total);
	free(c.stamps);
	free(c.taken);
	free(c.sorted);
	return ret;
}

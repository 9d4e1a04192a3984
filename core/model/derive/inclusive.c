/*
 * Context: O.  Sums functions with their callees, for the tables of prof; see
 * inclusive.h.
 */
#include "derive/inclusive.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Adds a weight to a function unless that row, `stamp`, has been added to it.
 */
static void
add_inclusive(uint64_t *sums, size_t *stamps, uint32_t function, size_t stamp,
    uint64_t weight)
{
	if (function == MODEL_NONE || stamps[function] == stamp)
		return;
	stamps[function] = stamp;
	sums[function] += weight;
}

/* Adds a weight to the functions that are inlined at a place. */
static void
add_inlined(uint64_t *sums, size_t *stamps, const struct model *m,
    uint32_t scope, uint32_t scopes, size_t stamp, uint64_t weight)
{
	for (uint32_t i = 0; i + 1 < scopes; i++)
		add_inclusive(sums, stamps, m->scopes[scope + i].function,
		    stamp, weight);
}

int
inclusive_make(struct inclusive *x, const struct model *m)
{
	const size_t count = m->function_count + 1;
	/* number of the last row that was added to each function */
	size_t *stamps = calloc(count, sizeof(*stamps));

	x->cpu = calloc(count, sizeof(*x->cpu));
	x->sleep = calloc(count, sizeof(*x->sleep));
	if (stamps == NULL || x->cpu == NULL || x->sleep == NULL) {
		free(stamps);
		return -ENOMEM;
	}
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		uint64_t *sums = model_is_cpu(r->kind) ? x->cpu : x->sleep;

		if (model_is_caller(r->kind) || r->ns == 0)
			continue;
		add_inclusive(sums, stamps, r->function, i + 1, r->ns);
		add_inlined(sums, stamps, m, r->scope, r->scopes, i + 1, r->ns);
		for (uint32_t f = r->stack; f != 0;
		    f = m->stacks.frames[f].caller) {
			const struct stack_frame *s = &m->stacks.frames[f];

			add_inclusive(sums, stamps, s->function, i + 1, r->ns);
			add_inlined(sums, stamps, m, s->scope, s->scopes, i + 1,
			    r->ns);
		}
	}
	free(stamps);
	return 0;
}

void
inclusive_free(struct inclusive *x)
{
	free(x->cpu);
	free(x->sleep);
	x->cpu = x->sleep = NULL;
}

/*
 * Context: O.  Handles time below zero, from files that were made by
 * subtraction, for model_finish(), call trees and prof: removes rows, or nets
 * the rows of a path first; see negative_time.h.
 */
#include "base/negative_time.h"

#include "base/key_table.h"
#include "base/vector.h"

#include <stdlib.h>

static int
note_negative(struct model *m, const struct model_negative *own)
{
	if (vector_grow(&m->below, m->below_count, &m->below_room,
	    sizeof(*m->below)) != 0)
		return -ENOMEM;
	m->below[m->below_count++] = *own;
	return 0;
}

int
negative_time_note(struct model *m, uint32_t function, uint64_t ns)
{
	const struct model_negative own = {
		.row = MODEL_NONE, .function = function, .ns = 0 - ns,
	};

	return note_negative(m, &own);
}

/* Removes the time of a row and notes it.  Returns 0 or -ENOMEM. */
static int
drop_negative_row(struct model *m, size_t row)
{
	struct model_row *r = &m->rows[row];
	const struct model_negative own = {
		.row = (uint32_t)row, .ns = 0 - r->ns,
	};

	r->ns = r->count = 0;
	return note_negative(m, &own);
}

int
negative_time_drop(struct model *m)
{
	int ret = 0;

	if (!m->differences || m->signs)
		return 0;
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		struct model_row *r = &m->rows[i];

		if (r->ns > INT64_MAX)
			ret = drop_negative_row(m, i);
		/*
		 * If the difference has more time but fewer samples, the number
		 * of samples on which the time rests is not known.
		 */
		else if (r->count > INT64_MAX)
			r->count = 0;
	}
	return ret;
}

/*
 * Rows grouped by path: same functions, process and thread, and all of CPU time
 * or all of time asleep.
 */
struct path_sums {
	/* callers only; callers and innermost function */
	struct key_table above, ends;
	/* path of each frame in `above`, + 1; 0 = no caller */
	uint32_t *of_frame;
	/* path of each row in `ends`; UINT32_MAX = none */
	uint32_t *of_row;
	struct path_sum {
		uint64_t ns, count;	/* sums with all signs */
		/* sums of the parts below zero, without sign */
		uint64_t less_ns, less_count;
	} *all;
};

static void
free_path_sums(struct path_sums *p)
{
	key_table_free(&p->above);
	key_table_free(&p->ends);
	free(p->of_frame);
	free(p->of_row);
	free(p->all);
}

/* Sets of_frame and of_row of *p.  Returns 0 or -ENOMEM. */
static int
find_row_paths(struct path_sums *p, const struct model *m)
{
	for (size_t i = 1; i < m->stacks.count; i++) {
		const struct stack_frame *f = &m->stacks.frames[i];
		const uint32_t n = key_table_add(&p->above,
		    p->of_frame[f->caller], f->function, 0);

		if (n == UINT32_MAX)
			return -ENOMEM;
		p->of_frame[i] = n + 1;
	}
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		p->of_row[i] = r->ns == 0 ? UINT32_MAX :
		    key_table_add(&p->ends,
		    (uint64_t)p->of_frame[r->stack] << 32 | r->function,
		    (uint64_t)r->process << 32 | r->thread,
		    model_is_cpu(r->kind));
		if (r->ns != 0 && p->of_row[i] == UINT32_MAX)
			return -ENOMEM;
	}
	return 0;
}

static uint64_t
negative_part(uint64_t n)
{
	return n > INT64_MAX ? 0 - n : 0;
}

/* Fills in p->all from the rows of each path. */
static void
sum_paths(struct path_sums *p, const struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		struct path_sum *own;

		if (p->of_row[i] == UINT32_MAX)
			continue;
		own = &p->all[p->of_row[i]];
		own->ns += r->ns;
		own->count += r->count;
		own->less_ns += negative_part(r->ns);
		own->less_count += negative_part(r->count);
	}
}

/*
 * Subtracts from *n what other rows of the path have below zero; *less is what
 * is left of that.  A negative *n becomes 0.
 */
static void
cancel_negative(uint64_t *n, uint64_t *less)
{
	const uint64_t here = *n > INT64_MAX ? *n : *n < *less ? *n : *less;

	*less -= *n > INT64_MAX ? 0 : here;
	*n -= here;
}

/*
 * Makes the time of a row positive or 0.  A path below zero is noted once, by
 * its first row that has time.  Returns 0 or -ENOMEM.
 */
static int
net_row(struct path_sums *p, struct model *m, size_t row)
{
	struct model_row *r = &m->rows[row];
	struct path_sum *own;
	int ret = 0;

	if (p->of_row[row] == UINT32_MAX)
		return 0;
	own = &p->all[p->of_row[row]];
	if (own->ns > INT64_MAX) {
		if (own->less_ns != 0)
			ret = negative_time_note(m, r->function, own->ns);
		own->less_ns = 0;
		r->ns = r->count = 0;
		return ret;
	}
	cancel_negative(&r->ns, &own->less_ns);
	if (own->count > INT64_MAX)
		r->count = 0;
	else
		cancel_negative(&r->count, &own->less_count);
	return 0;
}

int
negative_time_net(struct model *m)
{
	struct path_sums p = { 0 };
	int ret = 0;

	if (!model_has_signs(m))
		return 0;
	m->signs = false;
	m->unnamed_ns -= m->unnamed_ns > INT64_MAX ? m->unnamed_ns : 0;
	p.of_frame = calloc(m->stacks.count + 1, sizeof(*p.of_frame));
	p.of_row = calloc(m->row_count + 1, sizeof(*p.of_row));
	ret = p.of_frame == NULL || p.of_row == NULL ? -ENOMEM :
	    find_row_paths(&p, m);
	if (ret == 0) {
		p.all = calloc(p.ends.count + 1, sizeof(*p.all));
		ret = p.all == NULL ? -ENOMEM : 0;
	}
	if (ret == 0)
		sum_paths(&p, m);
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		ret = net_row(&p, m, i);
	free_path_sums(&p);
	return ret;
}

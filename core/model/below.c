/* Context: O.  Time below zero, of files that were made by subtraction. */
#include "below.h"

#include "grow.h"
#include "told_module.h"

#include <stdlib.h>

static int
note(struct model *m, const struct model_below *own)
{
	if (grow(&m->below, m->below_count, &m->below_room,
	    sizeof(*m->below)) != 0)
		return -ENOMEM;
	m->below[m->below_count++] = *own;
	return 0;
}

int
below_note(struct model *m, uint32_t function, uint64_t ns)
{
	const struct model_below own = {
		.row = MODEL_NONE, .function = function, .ns = 0 - ns,
	};

	return note(m, &own);
}

static int
drop(struct model *m, size_t row)
{
	struct model_row *r = &m->rows[row];
	const struct model_below own = {
		.row = (uint32_t)row, .ns = 0 - r->ns,
	};

	r->ns = r->count = 0;
	return note(m, &own);
}

int
below_drop(struct model *m)
{
	int ret = 0;

	if (!m->differences || m->signs)
		return 0;
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		struct model_row *r = &m->rows[i];

		if (r->ns > INT64_MAX)
			ret = drop(m, i);
		/*
		 * The number of samples that more time in fewer samples rests
		 * on is not known.
		 */
		else if (r->count > INT64_MAX)
			r->count = 0;
	}
	return ret;
}

/* Rows grouped by path: same functions, thread and kind. */
struct paths {
	struct told_keys above, ends;	/* callers; and with the innermost */
	uint32_t *of_frame;		/* + 1; 0 = none above */
	uint32_t *of_row;		/* UINT32_MAX = of no path */
	struct path {
		uint64_t ns, count;	/* sums with all signs */
		uint64_t less_ns, less_count;	/* sums of what is below
						   zero, without sign */
	} *all;
};

static void
paths_free(struct paths *p)
{
	free(p->above.all);
	finder_free(&p->above.by_key);
	free(p->ends.all);
	finder_free(&p->ends.by_key);
	free(p->of_frame);
	free(p->of_row);
	free(p->all);
}

static int
find_paths(struct paths *p, const struct model *m)
{
	for (size_t i = 1; i < m->stacks.count; i++) {
		const struct stack_frame *f = &m->stacks.frames[i];
		const uint32_t n = told_key(&p->above, p->of_frame[f->caller],
		    f->function, 0);

		if (n == UINT32_MAX)
			return -ENOMEM;
		p->of_frame[i] = n + 1;
	}
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		p->of_row[i] = r->ns == 0 ? UINT32_MAX : told_key(&p->ends,
		    (uint64_t)p->of_frame[r->stack] << 32 | r->function,
		    (uint64_t)r->process << 32 | r->thread,
		    model_is_cpu(r->kind));
		if (r->ns != 0 && p->of_row[i] == UINT32_MAX)
			return -ENOMEM;
	}
	return 0;
}

static uint64_t
below_zero(uint64_t n)
{
	return n > INT64_MAX ? 0 - n : 0;
}

static void
sum_paths(struct paths *p, const struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		struct path *own;

		if (p->of_row[i] == UINT32_MAX)
			continue;
		own = &p->all[p->of_row[i]];
		own->ns += r->ns;
		own->count += r->count;
		own->less_ns += below_zero(r->ns);
		own->less_count += below_zero(r->count);
	}
}

/* Subtracts from *n what other rows of the path have below zero. */
static void
take_less(uint64_t *n, uint64_t *less)
{
	const uint64_t here = *n > INT64_MAX ? *n : *n < *less ? *n : *less;

	*less -= *n > INT64_MAX ? 0 : here;
	*n -= here;
}

/* A path below zero is noted once, by its first row. */
static int
settle_row(struct paths *p, struct model *m, size_t row)
{
	struct model_row *r = &m->rows[row];
	struct path *own;
	int ret = 0;

	if (p->of_row[row] == UINT32_MAX)
		return 0;
	own = &p->all[p->of_row[row]];
	if (own->ns > INT64_MAX) {
		if (own->less_ns != 0)
			ret = below_note(m, r->function, own->ns);
		own->less_ns = 0;
		r->ns = r->count = 0;
		return ret;
	}
	take_less(&r->ns, &own->less_ns);
	if (own->count > INT64_MAX)
		r->count = 0;
	else
		take_less(&r->count, &own->less_count);
	return 0;
}

int
below_settle(struct model *m)
{
	struct paths p = { .of_frame = NULL };
	int ret = 0;

	if (!model_has_signs(m))
		return 0;
	m->signs = false;
	m->unnamed_ns -= m->unnamed_ns > INT64_MAX ? m->unnamed_ns : 0;
	p.of_frame = calloc(m->stacks.count + 1, sizeof(*p.of_frame));
	p.of_row = calloc(m->row_count + 1, sizeof(*p.of_row));
	ret = p.of_frame == NULL || p.of_row == NULL ? -ENOMEM :
	    find_paths(&p, m);
	if (ret == 0) {
		p.all = calloc(p.ends.count + 1, sizeof(*p.all));
		ret = p.all == NULL ? -ENOMEM : 0;
	}
	if (ret == 0)
		sum_paths(&p, m);
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		ret = settle_row(&p, m, i);
	paths_free(&p);
	return ret;
}

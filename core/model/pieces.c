/* Context: O.  Samples one after the other, thread by thread. */
#define _GNU_SOURCE		/* qsort_r */
#include "pieces.h"

#include "grow.h"
#include "order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LATER	UINT64_MAX	/* at no time that is known */

static int
compare_pieces(const void *left, const void *right, void *rows)
{
	const struct piece *a = left, *b = right;
	const struct model_row *all = rows;
	int d = order(all[a->row].process, all[b->row].process);

	if (d == 0)
		d = order(all[a->row].thread, all[b->row].thread);
	if (d == 0)
		d = order(a->at, b->at);
	return d != 0 ? d : order(a->row, b->row);
}

static int
add(struct pieces *p, uint32_t row, uint64_t ns, uint64_t at)
{
	if (grow(&p->all, p->count, &p->room, sizeof(*p->all)) != 0)
		return -ENOMEM;
	p->all[p->count++] = (struct piece) { row, ns, at };
	return 0;
}

static uint64_t
begin_of(const struct model_moment *t)
{
	return t->real > t->ns ? t->real - t->ns : 0;
}

/* What is left is what has no moment. */
static int
add_moments(struct pieces *p, const struct model *m, const bool *takes,
    uint64_t *left)
{
	int ret = 0;

	for (size_t i = 0; i < m->moment_count; i++)
		if (i == 0 || begin_of(&m->moments[i]) < p->began)
			p->began = begin_of(&m->moments[i]);
	for (size_t i = 0; i < m->moment_count && ret == 0; i++) {
		const struct model_moment *t = &m->moments[i];

		if (!takes[t->row])
			continue;
		ret = add(p, t->row, t->ns, begin_of(t) - p->began);
		left[t->row] -= t->ns < left[t->row] ? t->ns : left[t->row];
	}
	return ret;
}

static int
add_all(struct pieces *p, struct samples *s, bool *takes, uint64_t *left)
{
	const struct model *m = s->model;
	int ret;

	for (size_t i = 0; i < m->row_count; i++) {
		takes[i] = samples_path(s, i);
		left[i] = takes[i] ? m->rows[i].ns : 0;
	}
	ret = add_moments(p, m, takes, left);
	/* A row of no time is a sample as well; one of no bytes is nothing. */
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (takes[i] && (left[i] != 0 || (m->rows[i].ns == 0 &&
		    !model_is_heap(m))))
			ret = add(p, (uint32_t)i, left[i], LATER);
	return ret;
}

/* Each thread of them, and when those are that have no time. */
static void
part(struct pieces *p, const struct model_row *rows)
{
	uint64_t end = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct piece *own = &p->all[i];
		const struct model_row *r = &rows[own->row];
		const struct model_row *before = i == 0 ? NULL :
		    &rows[p->all[i - 1].row];

		if (before == NULL || before->process != r->process ||
		    before->thread != r->thread) {
			p->first[p->threads++] = i;
			end = 0;
		}
		if (own->at == LATER)
			own->at = end;
		if (own->at + own->ns > end)
			end = own->at + own->ns;
	}
	p->first[p->threads] = p->count;
}

int
pieces_make(struct pieces *p, struct samples *s)
{
	struct model *m = s->model;
	bool *takes = calloc(m->row_count + 1, sizeof(*takes));
	uint64_t *left = calloc(m->row_count + 1, sizeof(*left));
	int ret = takes == NULL || left == NULL ? -ENOMEM : 0;

	*p = (struct pieces) { .all = NULL };
	if (ret == 0)
		ret = add_all(p, s, takes, left);
	free(takes);
	free(left);
	p->first = calloc(p->count + 1, sizeof(*p->first));
	if (p->first == NULL)
		return -ENOMEM;
	if (p->count > 1)
		qsort_r(p->all, p->count, sizeof(*p->all), compare_pieces,
		    m->rows);
	part(p, m->rows);
	return ret;
}

void
pieces_free(struct pieces *p)
{
	free(p->all);
	free(p->first);
	memset(p, 0, sizeof(*p));
}

/*
 * Context: O.  Arranges samples on a time axis, thread by thread, for
 * exporters: by their recorded times, or one row after the other.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "derive/sample_spans.h"

#include "base/compare.h"
#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_TIME	UINT64_MAX	/* the span has no recorded time */

static int
compare_sample_spans(const void *left, const void *right, void *rows)
{
	const struct sample_span *a = left, *b = right;
	const struct model_row *all = rows;
	int d = compare_u64(all[a->row].process, all[b->row].process);

	if (d == 0)
		d = compare_u64(all[a->row].thread, all[b->row].thread);
	if (d == 0)
		d = compare_u64(a->at, b->at);
	return d != 0 ? d : compare_u64(a->row, b->row);
}

static int
add_span(struct sample_spans *p, uint32_t row, uint64_t ns, uint64_t at)
{
	if (vector_grow(&p->all, p->count, &p->room, sizeof(*p->all)) != 0)
		return -ENOMEM;
	p->all[p->count++] = (struct sample_span) { row, ns, at };
	return 0;
}

static uint64_t
moment_start(const struct model_moment *t)
{
	return t->real > t->ns ? t->real - t->ns : 0;
}

/*
 * Adds a span for each moment of a row with takes[], and subtracts its time
 * from left[] of its row: what remains there has no moment.  Returns 0 or
 * -ENOMEM.
 */
static int
add_moment_spans(struct sample_spans *p, const struct model *m,
    const bool *takes, uint64_t *left)
{
	int ret = 0;

	for (size_t i = 0; i < m->moment_count; i++)
		if (i == 0 || moment_start(&m->moments[i]) < p->began)
			p->began = moment_start(&m->moments[i]);
	for (size_t i = 0; i < m->moment_count && ret == 0; i++) {
		const struct model_moment *t = &m->moments[i];

		if (!takes[t->row])
			continue;
		ret = add_span(p, t->row, t->ns, moment_start(t) - p->began);
		left[t->row] -= t->ns < left[t->row] ? t->ns : left[t->row];
	}
	return ret;
}

/*
 * Adds all spans.  takes[] and left[] have an element for each row and are set
 * here.  Returns 0 or -ENOMEM.
 */
static int
add_row_spans(struct sample_spans *p, struct sample_paths *s, bool *takes,
    uint64_t *left)
{
	const struct model *m = s->model;
	int ret;

	for (size_t i = 0; i < m->row_count; i++) {
		takes[i] = sample_paths_get(s, i);
		left[i] = takes[i] ? m->rows[i].ns : 0;
	}
	ret = add_moment_spans(p, m, takes, left);
	/*
	 * A row without time is a sample as well; in a heap a row without bytes
	 * is nothing.
	 */
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (takes[i] && (left[i] != 0 || (m->rows[i].ns == 0 &&
		    !model_is_heap(m))))
			ret = add_span(p, (uint32_t)i, left[i], NO_TIME);
	return ret;
}

/*
 * Finds the first span of each thread in the sorted spans, and gives spans
 * without a time one after the other.
 */
static void
split_by_thread(struct sample_spans *p, const struct model_row *rows)
{
	uint64_t end = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct sample_span *own = &p->all[i];
		const struct model_row *r = &rows[own->row];
		const struct model_row *before = i == 0 ? NULL :
		    &rows[p->all[i - 1].row];

		if (before == NULL || before->process != r->process ||
		    before->thread != r->thread) {
			p->first[p->threads++] = i;
			end = 0;
		}
		if (own->at == NO_TIME)
			own->at = end;
		if (own->at + own->ns > end)
			end = own->at + own->ns;
	}
	p->first[p->threads] = p->count;
}

int
sample_spans_make(struct sample_spans *p, struct sample_paths *s)
{
	struct model *m = s->model;
	bool *takes = calloc(m->row_count + 1, sizeof(*takes));
	uint64_t *left = calloc(m->row_count + 1, sizeof(*left));
	int ret = takes == NULL || left == NULL ? -ENOMEM : 0;

	*p = (struct sample_spans) { 0 };
	if (ret == 0)
		ret = add_row_spans(p, s, takes, left);
	free(takes);
	free(left);
	p->first = calloc(p->count + 1, sizeof(*p->first));
	if (p->first == NULL)
		return -ENOMEM;
	if (p->count > 1)
		qsort_r(p->all, p->count, sizeof(*p->all), compare_sample_spans,
		    m->rows);
	split_by_thread(p, m->rows);
	return ret;
}

void
sample_spans_free(struct sample_spans *p)
{
	free(p->all);
	free(p->first);
	memset(p, 0, sizeof(*p));
}

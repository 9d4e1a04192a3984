/*
 * Context: O.  Rows of the model, and the frames, arcs and moments that refer
 * to them: adding them, for the readers, merging equal ones, and sorting, for
 * model_finish().
 */
#include "base/model_rows.h"

#include "base/compare.h"
#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>

static int
compare_model_rows(const void *left, const void *right)
{
	const struct model_row *a = left, *b = right;
	int d = compare_u64(a->module, b->module);

	if (d == 0 && model_is_absolute(a->module))
		d = compare_u64(a->process, b->process);
	if (d == 0)
		d = compare_u64(a->address, b->address);
	if (d == 0)
		d = compare_u64(a->kind, b->kind);
	if (d == 0)
		d = compare_u64(a->process, b->process);
	if (d == 0)
		d = compare_u64(a->thread, b->thread);
	return d != 0 ? d : compare_u64(a->stack, b->stack);
}

static uint32_t
hash_model_row(const struct model_row *r)
{
	uint64_t h = hash_index_hash(r->address ^ (uint64_t)r->module << 44);

	h = hash_index_hash(h << 32 | (r->stack ^ r->kind << 28));
	return hash_index_hash(h << 32 | (r->process ^ r->thread << 16));
}

/*
 * Uses a hash index: files with many threads and stacks have each key many
 * times.
 */
int
model_merge_row(struct model *m, const struct model_row *row, uint32_t *n)
{
	const uint32_t hash = hash_model_row(row);

	for (size_t at = hash; (*n = hash_index_next(&m->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;) {
		struct model_row *own = &m->rows[*n];

		if (compare_model_rows(own, row) != 0)
			continue;
		own->count += row->count;
		own->ns += row->ns;
		own->calls += row->calls;
		return 0;
	}
	if (m->row_count >= HASH_INDEX_NONE - 1 || vector_grow(&m->rows,
	    m->row_count, &m->row_room, sizeof(*row)) != 0 ||
	    hash_index_add(&m->by_key, hash, (uint32_t)m->row_count) != 0)
		return -ENOMEM;
	*n = (uint32_t)m->row_count++;
	m->rows[*n] = *row;
	m->rows[*n].number = *n;
	return 0;
}

int
model_add_row(struct model *m, const struct model_row *row)
{
	uint32_t n;

	return model_merge_row(m, row, &n);
}

int
model_add_moment(struct model *m, const struct model_moment *moment)
{
	if (vector_grow(&m->moments, m->moment_count, &m->moment_room,
	    sizeof(*m->moments)) != 0)
		return -ENOMEM;
	m->moments[m->moment_count++] = *moment;
	return 0;
}

static void
sort_model_rows(struct model *m)
{
	hash_index_free(&m->by_key);
	if (m->row_count != 0)
		qsort(m->rows, m->row_count, sizeof(*m->rows),
		    compare_model_rows);
}

static int
compare_model_moments(const void *left, const void *right)
{
	const struct model_moment *a = left, *b = right;

	return compare_u64(a->real, b->real);
}

/* now: by number of a row, its index; see model_rows_sort(). */
static void
index_moments(struct model *m, const uint32_t *now)
{
	for (size_t i = 0; i < m->moment_count; i++)
		m->moments[i].row = now[m->moments[i].row];
	if (m->moment_count != 0)
		qsort(m->moments, m->moment_count, sizeof(*m->moments),
		    compare_model_moments);
}

static int
compare_model_arcs(const void *left, const void *right)
{
	const struct model_arc *a = left, *b = right;
	int d = compare_u64(a->self_module, b->self_module);

	if (d == 0)
		d = compare_u64(a->self, b->self);
	if (d == 0)
		d = compare_u64(a->from_module, b->from_module);
	if (d == 0)
		d = compare_u64(a->from, b->from);
	if (d == 0)
		d = compare_u64(a->self_process, b->self_process);
	return d != 0 ? d : compare_u64(a->from_process, b->from_process);
}

/* Sorts the arcs and merges equal ones. */
static void
merge_arcs(struct model *m)
{
	size_t kept = 0;

	if (m->arc_count == 0)
		return;
	qsort(m->arcs, m->arc_count, sizeof(*m->arcs), compare_model_arcs);
	for (size_t i = 1; i < m->arc_count; i++)
		if (compare_model_arcs(&m->arcs[kept], &m->arcs[i]) == 0)
			m->arcs[kept].calls += m->arcs[i].calls;
		else
			m->arcs[++kept] = m->arcs[i];
	m->arc_count = kept + 1;
}

static struct model_row
make_row_key(uint32_t kind, uint32_t module, uint64_t address, uint32_t process)
{
	return (struct model_row) {
		.kind = kind, .module = module, .address = address,
		.process = process, .thread = MODEL_NONE,
	};
}

int
model_add_arc(struct model *m, const struct model_arc *arc)
{
	struct model_row self = make_row_key(MODEL_CALLS, arc->self_module,
	    arc->self, arc->self_process);
	struct model_row from = make_row_key(FORMAT_FRAME, arc->from_module,
	    arc->from, arc->from_process);
	struct model_arc own = *arc;

	self.calls = arc->calls;
	if (model_merge_row(m, &self, &own.self_row) != 0)
		return -ENOMEM;
	if ((m->keep & MODEL_KEEP_ARCS) == 0)
		return 0;
	if (model_merge_row(m, &from, &own.from_row) != 0)
		return -ENOMEM;
	if (m->arc_count == m->arc_room) {
		merge_arcs(m);
		if (m->arc_count >= m->arc_room / 2 && vector_grow(&m->arcs,
		    m->arc_room, &m->arc_room, sizeof(own)) != 0)
			return -ENOMEM;
	}
	m->arcs[m->arc_count++] = own;
	return 0;
}

uint32_t
model_add_frame(struct model *m, const struct stack_frame *key)
{
	const size_t before = m->stacks.count;
	struct model_row row = make_row_key(key->kind, key->module,
	    key->address, key->process);
	uint32_t frame = stack_frames_find(&m->stacks, key);

	if (frame == 0 || m->stacks.count == before)
		return frame;
	return model_merge_row(m, &row, &m->stacks.frames[frame].row) == 0 ?
	    frame : 0;
}

void
model_name_frames(struct model *m)
{
	for (size_t i = 1; i < m->stacks.count; i++) {
		struct stack_frame *f = &m->stacks.frames[i];
		const struct model_row *own = &m->rows[f->row];

		f->function = own->function;
		f->scope = own->scope;
		f->scopes = own->scopes;
	}
}

/* now: by number of a row, its index; see model_rows_sort(). */
static void
index_frames(struct model *m, const uint32_t *now)
{
	for (size_t i = 1; i < m->stacks.count; i++) {
		struct stack_frame *f = &m->stacks.frames[i];

		f->row = now[f->row];
	}
}

/* Merges equal arcs and sets the rows of all; see index_frames(). */
static void
index_arcs(struct model *m, const uint32_t *now)
{
	merge_arcs(m);
	for (size_t i = 0; i < m->arc_count; i++) {
		struct model_arc *a = &m->arcs[i];

		a->self_row = now[a->self_row];
		a->from_row = now[a->from_row];
	}
}

int
model_rows_sort(struct model *m)
{
	uint32_t *now = malloc((m->row_count + 1) * sizeof(*now));

	if (now == NULL)
		return -ENOMEM;
	sort_model_rows(m);
	for (size_t i = 0; i < m->row_count; i++)
		now[m->rows[i].number] = (uint32_t)i;
	index_frames(m, now);
	index_arcs(m, now);
	index_moments(m, now);
	free(now);
	return 0;
}

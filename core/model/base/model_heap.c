/*
 * Context: O.  Allocations in the model: a struct model_heap for each row by
 * its number, and the choice of the metric that rows have as ns.
 * read_profile_heap.c adds; prof, views and exporters choose and show.
 */
#include "base/model.h"

#include "base/vector.h"

#include <string.h>

const struct model_heap *
model_heap(const struct model *m, const struct model_row *row)
{
	static const struct model_heap none;

	return row->number < m->heap_room ? &m->heaps[row->number] : &none;
}

void
model_heap_sum(struct model_heap *to, const struct model_heap *more)
{
	to->live_bytes += more->live_bytes;
	to->live_blocks += more->live_blocks;
	to->peak_bytes += more->peak_bytes;
	to->total_bytes += more->total_bytes;
	to->total_blocks += more->total_blocks;
	to->freed_bytes += more->freed_bytes;
	to->temporary_blocks += more->temporary_blocks;
	to->high_bytes += more->high_bytes;
	to->high_paths += more->high_paths;
	to->samples += more->samples;
	to->mapped_bytes += more->mapped_bytes;
	to->mapped_peak_bytes += more->mapped_peak_bytes;
	to->mapped_total_bytes += more->mapped_total_bytes;
	to->mappings += more->mappings;
}

/*
 * Bytes live at the peak, or now, were live at the same moment if they are of
 * one process.
 */
bool
model_heap_is_high_exact(const struct model *m, const struct model_heap *heap)
{
	return heap->high_paths <= 1 || (m->heap_files == 1 &&
	    (heap->high_bytes == heap->peak_bytes ||
	    heap->high_bytes == heap->live_bytes));
}

/*
 * Makes room for the allocations of row number n.  Rows with lower numbers may
 * have none; theirs are 0.  Returns 0 or -ENOMEM.
 */
static int
reserve_heaps(struct model *m, uint32_t n)
{
	while (n >= m->heap_room) {
		const size_t before = m->heap_room;

		if (vector_grow(&m->heaps, before, &m->heap_room,
		    sizeof(*m->heaps)) != 0)
			return -ENOMEM;
		memset(m->heaps + before, 0, (m->heap_room - before) *
		    sizeof(*m->heaps));
	}
	return 0;
}

int
model_heap_add(struct model *m, const struct model_row *place,
    const struct model_heap *heap)
{
	struct model_row row = *place;
	uint32_t n;

	row.ns = heap->peak_bytes + heap->mapped_peak_bytes;
	row.count = heap->samples;
	if (model_merge_row(m, &row, &n) != 0 || reserve_heaps(m, n) != 0)
		return -ENOMEM;
	model_heap_sum(&m->heaps[n], heap);
	return 0;
}

void
model_heap_set_metric(struct model *m, enum metric measure)
{
	for (size_t i = 0; i < m->row_count; i++) {
		struct model_row *r = &m->rows[i];

		r->ns = metric_value(measure, model_heap(m, r));
		r->count = metric_samples(measure, model_heap(m, r));
	}
	m->measure = measure;
}

bool
model_heap_has_blocks(const struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++)
		if (model_heap(m, &m->rows[i])->total_blocks != 0)
			return true;
	return m->map_files == 0;
}

bool
model_heap_has_metric(const struct model *m, enum metric measure)
{
	return m->map_files != 0 || !metric_is_mapped(measure);
}

enum metric
model_heap_next_metric(const struct model *m, enum metric measure)
{
	do
		measure = metric_next(measure);
	while (!model_heap_has_metric(m, measure));
	return measure;
}

bool
model_heap_set_next(struct model *m, enum metric first)
{
	if (!model_is_heap(m))
		return false;
	model_heap_set_metric(m, model_heap_next_metric(m, m->measure));
	return m->measure != first;
}

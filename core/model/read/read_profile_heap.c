/*
 * Context: O.  Reads the allocations of a profile into the model, for
 * read_profile.c: each alloc_thread's tree of call paths, and the points of the
 * heap timeline.
 */
#include "read/read_profile_heap.h"

#include "decode/decode_heap.h"
#include "decode/decode_heap_points.h"
#include "base/vector.h"
#include "read/profile_frames.h"
#include "read/profile_modules.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* State while the allocations of a file are read. */
struct heap_reader {
	struct profile_reader *x;
	uint64_t era, maps_era, period;
	/* bytes at the peak, of the paths read so far */
	uint64_t peak;
};

/* Returns a copy of a node, which must be the parent of a visited node. */
static struct format_node
copy_node(const struct decode *d, uint32_t index)
{
	struct format_node n;

	memcpy(&n, d->bytes + (size_t)index * FORMAT_UNIT, sizeof(n));
	return n;
}

/*
 * Returns the key of the row for allocations with that caller.  A return
 * address is moved into the call, as the instruction after it may be on the
 * next line.
 */
static struct model_row
allocation_row(const struct profile_reader *x, const struct format_node *caller)
{
	struct model_row row = {
		.kind = FORMAT_USER,
		.module = profile_modules_of_node(x, caller),
		.address = caller->address,
		.process = MODEL_NONE, .thread = MODEL_NONE,
	};

	if (caller->kind == FORMAT_FRAME && row.address != 0)
		row.address--;
	if (x->frames != NULL)
		row.stack = x->frames[caller->parent];
	row.process = profile_frames_process(x, row.module);
	return row;
}

/*
 * Returns `left`, or 0 if it is more than `all`.  A file that changes while it
 * is read may show frees of blocks that were allocated later; then the
 * difference is below zero.
 */
static uint64_t
clamp_live(uint64_t left, uint64_t all)
{
	return left <= all ? left : 0;
}

/*
 * Returns high_bytes, at least the bytes at the peak or live and at most the
 * total: in a file that changes while it is read, the counters may not agree.
 */
static uint64_t
clamp_high(const struct format_heap *h, const struct model_heap *sum)
{
	uint64_t high = h->high_bytes;

	if (high < sum->peak_bytes)
		high = sum->peak_bytes;
	if (high < sum->live_bytes)
		high = sum->live_bytes;
	return high <= sum->total_bytes ? high : sum->total_bytes;
}

/* Returns the counts of a node of blocks. */
static struct model_heap
block_counts(const struct heap_reader *l, const struct format_heap *h)
{
	const struct format_node *n = &h->node;
	struct model_heap sum = {
		.live_bytes = clamp_live(decode_heap_live(h), n->ns),
		.live_blocks = clamp_live(n->count - h->freed_blocks -
		    h->taken_blocks, n->count),
		.peak_bytes = clamp_live(decode_heap_peak(h, l->era), n->ns),
		.total_bytes = n->ns,
		.total_blocks = n->count,
		.freed_bytes = h->freed_bytes + h->taken_bytes,
		.temporary_blocks = h->temporary_blocks,
		.samples = l->period != 0 ? h->samples : 0,
	};

	sum.high_bytes = clamp_high(h, &sum);
	sum.high_paths = sum.high_bytes != 0;
	return sum;
}

/* Returns the counts of a node of mappings (FORMAT_MAP). */
static struct model_heap
mapping_counts(const struct heap_reader *l, const struct format_heap *h)
{
	const uint64_t all = h->node.ns;

	return (struct model_heap){
		.mapped_bytes = clamp_live(decode_heap_live(h), all),
		.mapped_peak_bytes = clamp_live(decode_heap_peak(h,
		    l->maps_era), all),
		.mapped_total_bytes = all,
		.mappings = h->node.count,
	};
}

/*
 * Adds a node of an alloc_thread's tree: a frame, or allocations.  Visit of
 * decode_tree().  Returns 0, or -ENOMEM with the fault set.
 */
static int
add_heap_record(void *arg, uint32_t index, const struct format_node *n)
{
	struct heap_reader *l = arg;
	struct profile_reader *x = l->x;
	struct format_heap h;
	struct format_node caller;
	struct model_heap sum;
	struct model_row row;

	if (profile_frames_is_caller(n) && x->frames != NULL)
		return profile_frames_add(x, index, n);
	if (!format_has_heap(n->kind))
		return 0;
	decode_heap(x->file, index, &h);
	caller = copy_node(x->file, n->parent);
	row = allocation_row(x, &caller);
	sum = n->kind == FORMAT_MAP ? mapping_counts(l, &h) : block_counts(l,
	    &h);
	l->peak += x->model->processes[x->process].maps_alone ?
	    sum.mapped_peak_bytes : sum.peak_bytes;
	return model_heap_add(x->model, &row, &sum) == 0 ? 0 :
	    fault_set_no_memory(x->fault);
}

static void
note_sample_period(struct model *m, uint64_t period)
{
	if (period == 0)
		return;
	if (m->period_high == 0 || period < m->period_low)
		m->period_low = period;
	if (period > m->period_high)
		m->period_high = period;
}

int
read_profile_heap_check(const struct decode *d, struct fault *f)
{
	struct format_heap_point p[FORMAT_HEAP_POINTS];
	size_t n;
	int got = decode_heap_points(d, p, &n, f);

	if (got != 0 || d->header.memory == 0)
		return got < 0 ? got : 0;
	fault_set(f, "no point of the heap timeline was recorded",
	    (uint64_t)d->header.memory * FORMAT_UNIT +
	    offsetof(struct format_memory, growth), 0);
	f->remedy = "prof --heap has its sums; the program ended too early, or "
	    "size= of PROFOPTS left no room";
	return -EINVAL;
}

/*
 * Adds the points of the heap timeline.  A damaged file can have points from
 * before the start of its process, which are put at its start.  Returns 0, or
 * -EINVAL or -ENOMEM with the fault set.
 */
static int
add_heap_points(struct profile_reader *x)
{
	const uint64_t birth = x->file->header.birth_mono;
	struct model *m = x->model;
	struct format_heap_point p[FORMAT_HEAP_POINTS];
	size_t n;
	int got = decode_heap_points(x->file, p, &n, x->fault);

	for (size_t i = 0; got >= 0 && i < n; i++) {
		if (vector_grow(&m->points, m->point_count, &m->point_room,
		    sizeof(*m->points)) != 0)
			return fault_set_no_memory(x->fault);
		m->points[m->point_count++] = (struct model_point){
			x->process,
			p[i].mono < birth ? 0 : p[i].mono - birth,
			p[i].live_bytes, p[i].resident_bytes,
		};
	}
	return got < 0 ? got : 0;
}

/*
 * Adds counts of an alloc_thread that are not kept by call path; filters do not
 * apply to them.
 */
static void
add_alloc_thread_counts(struct model *m, const struct format_alloc_thread *t)
{
	m->unknown_frees += t->unknown_frees;
	m->missed_ends += t->missed_ends;
	for (unsigned i = 0; i < FORMAT_SIZES; i++)
		m->sizes[i] += t->sizes[i];
}

int
read_profile_heap(struct profile_reader *x)
{
	struct heap_reader l = { .x = x };
	struct format_memory memory, maps = { 0 };
	struct format_alloc_thread thread;
	uint32_t cursor = 0;
	int got = decode_memory(x->file, &memory, x->fault);

	if (got == 1 && decode_memory_at(x->file, x->file->header.maps, &maps,
	    x->fault) < 0)
		got = -EINVAL;
	if (got != 1)
		return got;
	x->model->processes[x->process].maps_alone =
	    decode_heap_points_are_maps(x->file);
	l.era = memory.era;
	l.maps_era = maps.era;
	l.period = memory.period;
	note_sample_period(x->model, memory.period);
	while ((got = decode_alloc_thread(x->file, &cursor, &thread,
	    x->fault)) == 1) {
		add_alloc_thread_counts(x->model, &thread);
		got = decode_tree(x->file, thread.root, add_heap_record, &l,
		    x->fault);
		if (got != 0)
			break;
	}
	x->model->processes[x->process].heap_peak += l.peak;
	return got == 0 ? add_heap_points(x) : got;
}

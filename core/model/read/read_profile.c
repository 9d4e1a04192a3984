/*
 * Context: O.  Reads one decoded profile of libmon.so into the model, for
 * read_inputs() and prof --embed.  This file reads threads with their trees of
 * nodes, and arcs; modules, frames, allocations, names and the tick logs have
 * files of their own.
 */
#include "read/read_profile.h"

#include "base/vector.h"
#include "read/process_image.h"
#include "read/profile_frames.h"
#include "read/profile_log.h"
#include "read/process_texts.h"
#include "read/profile_modules.h"
#include "read/read_profile_heap.h"
#include "read/read_profile_names.h"

#include <string.h>

/*
 * Adds a node of a thread's tree: a frame, or a row.  Visit of decode_tree(),
 * with the reader as `arg`; the caller of a node is visited before it.  Returns
 * 0, or -ENOMEM with the fault set.
 */
static int
add_profile_node(void *arg, uint32_t index, const struct format_node *n)
{
	struct profile_reader *x = arg;
	struct model *m = x->model;
	struct model_process *p = &m->processes[x->process];
	struct model_row row = {
		.kind = n->kind,
		.address = n->address,
		.count = n->count,
		.ns = n->ns,
	};
	uint32_t number;

	if (profile_frames_is_caller(n) && x->frames != NULL &&
	    profile_frames_add(x, index, n) != 0)
		return -ENOMEM;
	/*
	 * Callers count nothing themselves, and allocations are read by
	 * read_profile_heap().
	 */
	if ((n->count == 0 && n->ns == 0) || format_has_heap(n->kind))
		return 0;
	if (x->frames != NULL)
		row.stack = x->frames[n->parent];
	row.module = profile_modules_of_node(x, n);
	if (n->kind == FORMAT_PAUSED) {
		row.kind = MODEL_REST;
		row.module = MODEL_MODULE_PAUSED;
		row.address = 0;
	}
	if (n->kind == FORMAT_UNWATCHED) {
		row.kind = n->address == 0 ? n->kind : FORMAT_SLEEP;
		row.module = MODEL_MODULE_UNWATCHED;
		row.address = 0;
	}
	row.ns = sample_scale_ns(&x->scale, row.kind, n->ns);
	row.process = profile_frames_process(x, row.module);
	row.thread = (m->keep & MODEL_KEEP_THREAD) != 0 ? x->thread :
	    MODEL_NONE;
	if (model_is_cpu(row.kind)) {
		p->sample_ns += row.ns;
		p->samples += n->count;
	}
	if (model_merge_row(m, &row, &number) != 0)
		return fault_set_no_memory(x->fault);
	if (x->rows != NULL)
		x->rows[index] = number + 1;
	return 0;
}

/* Returns whether the filter selects the thread, by name or number. */
static bool
thread_is_selected(const struct profile_reader *x,
    const struct format_thread *t)
{
	char name[sizeof(t->name) + 1] = "";

	memcpy(name, t->name, sizeof(t->name));
	return !filter_is_on(x->model->filter, FILTER_THREAD) ||
	    filter_match_text(x->model->filter, FILTER_THREAD, name) ||
	    filter_match_number(x->model->filter, FILTER_THREAD, t->tid);
}

/*
 * Reads the selected threads with their trees.  Returns 0, or -EINVAL or
 * -ENOMEM with the fault set.
 */
static int
read_profile_threads(struct profile_reader *x)
{
	struct model *m = x->model;
	struct format_thread t;
	uint32_t cursor = 0;
	int got;

	while ((got = decode_thread(x->file, &cursor, &t, x->fault)) == 1) {
		if (!thread_is_selected(x, &t))
			continue;
		m->met[FILTER_THREAD] = true;
		if (vector_grow(&m->threads, m->thread_count, &m->thread_room,
		    sizeof(*m->threads)) != 0)
			return fault_set_no_memory(x->fault);
		x->thread = (uint32_t)m->thread_count++;
		m->threads[x->thread].thread = t;
		m->threads[x->thread].process = x->process;
		got = decode_tree(x->file, t.root, add_profile_node, x,
		    x->fault);
		if (got != 0)
			return got;
	}
	return got;
}

static uint32_t
find_arc_module(const struct profile_reader *x, uint32_t record)
{
	return record == 0 ? MODEL_MODULE_GENERATED :
	    profile_modules_of_record(x, record);
}

/* Adds an arc.  Visit of decode_arcs(), with the reader as `arg`. */
static int
add_profile_arc(void *arg, uint32_t index, const struct format_arc *a)
{
	struct profile_reader *x = arg;
	struct model_arc arc = {
		.self = a->self,
		.from = a->from,
		.self_module = find_arc_module(x, a->self_module),
		.from_module = find_arc_module(x, a->from_module),
		.calls = a->count,
	};

	(void)index;
	arc.self_process = profile_frames_process(x, arc.self_module);
	arc.from_process = profile_frames_process(x, arc.from_module);
	return model_add_arc(x->model, &arc) == 0 ? 0 :
	    fault_set_no_memory(x->fault);
}

/*
 * Reads the arcs, unless threads are kept or selected: calls have no thread.
 * Returns as read_profile_threads().
 */
static int
read_arcs(struct profile_reader *x)
{
	if ((x->model->keep & MODEL_KEEP_THREAD) != 0 ||
	    filter_is_on(x->model->filter, FILTER_THREAD))
		return 0;
	return decode_arcs(x->file, add_profile_arc, x, x->fault);
}

/*
 * Sets the scale of samples, before the threads are read.  The CPU time of a
 * process that was killed is not used, as it was read before the last samples.
 */
static void
set_sample_scale(struct profile_reader *x)
{
	struct model_process *p = &x->model->processes[x->process];
	const bool known = p->life == MODEL_ENDED || p->life == MODEL_RUNNING;

	x->scale = sample_scale_of(&x->file->header, known ? p->cpu_ns : 0);
	p->scaled_ns += x->scale.taken_ns;
}

/* Reads time and calls.  Returns as read_profile_threads(). */
static int
read_profile_time(struct profile_reader *x)
{
	int ret;

	set_sample_scale(x);
	ret = read_profile_threads(x);
	if (ret == 0)
		ret = read_arcs(x);
	return ret != 0 ? ret : profile_log_read(x);
}

/*
 * Returns an estimate of the CPU time of all ticks, in ns: the first ticks as
 * measured, each of the others as the mean of those that were timed.
 */
static double
tick_cost_ns(const struct format_header *h)
{
	const uint64_t rest = h->ticks > h->first_ticks ?
	    h->ticks - h->first_ticks : 0;
	const double each = h->cost_ticks != 0 ?
	    (double)h->cost_ns / (double)h->cost_ticks :
	    h->first_ticks != 0 ?
	    (double)h->first_ns / (double)h->first_ticks : 0;

	return (double)h->first_ns + each * (double)rest;
}

/*
 * Adds the losses.  Where blocks are chosen, only such a block can be lost, and
 * it stands for many.
 */
static void
add_profile_losses(struct model *m, const struct decode *d)
{
	struct format_memory memory;
	struct fault f;
	const bool sampled = decode_memory(d, &memory, &f) == 1 &&
	    memory.period != 0;

	for (unsigned i = 0; i < LOSS_MAX; i++) {
		m->losses[i] += d->header.loss[i];
		if (sampled && loss_is_of_blocks(i))
			m->sampled_losses[i] += d->header.loss[i];
	}
}

/* Adds what the header sums over the process to the model. */
static void
add_profile_totals(struct model *m, const struct decode *d)
{
	const struct format_header *h = &d->header;

	m->files++;
	m->files_cut += d->cut != 0;
	m->ticks += h->ticks;
	m->cost_ns += tick_cost_ns(h);
	m->squares += (double)h->sample_squares * 1e6;
	m->wall |= h->clock == FORMAT_CLOCK_WALL;
	m->some_anew |= h->base != 0;
	m->heap_files += h->memory != 0;
	m->map_files += h->maps != 0;
	add_profile_losses(m, d);
}

/*
 * Returns the module of a place that has an embedded name; read_profile_names()
 * calls it with the reader as `arg`.
 */
static uint32_t
named_place_module(const void *arg, const struct decode_place *p)
{
	const struct profile_reader *x = arg;

	if (p->module != 0)
		return profile_modules_of_record(x, p->module);
	/* Addresses in the upper half are the kernel's. */
	return p->place.address >> 63 != 0 ? x->kernel :
	    MODEL_MODULE_GENERATED;
}

/*
 * Allocates an array with an element for each unit of the file, indexed by
 * node; leaves *all NULL if the model does not keep what `keep` names.  Only
 * pages of nodes that exist are touched.  Returns 0, or -ENOMEM with the fault
 * set.
 */
static int
alloc_by_index(struct profile_reader *x, unsigned keep, uint32_t **all)
{
	if ((x->model->keep & keep) == 0)
		return 0;
	*all = calloc(x->file->size / FORMAT_UNIT + 1, sizeof(**all));
	return *all != NULL ? 0 : fault_set_no_memory(x->fault);
}

/*
 * Returns whether the filters select the process, and sets m->met for those
 * that match.
 */
static bool
process_is_selected(struct model *m, const struct format_header *h,
    const char *exe)
{
	if (!filter_match_number(m->filter, FILTER_PID, h->pid))
		return false;
	m->met[FILTER_PID] = true;
	if (!filter_match_text(m->filter, FILTER_PROGRAM,
	    process_image_basename(exe)))
		return false;
	m->met[FILTER_PROGRAM] = true;
	return true;
}

int
read_profile_add(struct model *m, struct decode *d, struct fault *f)
{
	struct profile_reader x = { .model = m, .file = d, .fault = f };
	const struct format_header *h = &d->header;
	uint32_t length;
	const char *exe = decode_text(d, h->exe, &length, f);
	int ret;

	if (exe == NULL)
		return -EINVAL;
	exe = model_intern(m, exe, length);
	if (exe == NULL)
		return fault_set_no_memory(f);
	if (!process_is_selected(m, h, exe)) {
		m->files_other++;
		return 0;
	}
	ret = decode_counts_check(d, f);
	if (ret == 0 && (m->keep & MODEL_NEED_POINTS) != 0)
		ret = read_profile_heap_check(d, f);
	if (ret == 0)
		ret = process_image_is_copy(m, h, exe);
	if (ret == 1) {
		m->files_copied++;
		return 0;
	}
	if (ret == 0)
		ret = process_image_add(m, h, exe, &x.process);
	if (ret == -ENOMEM)
		return fault_set_no_memory(f);
	if (ret == 0)
		ret = process_texts_keep(&x);
	if (ret == 0)
		ret = profile_modules_read(&x);
	if (ret == 0)
		ret = read_profile_names(m, d, x.process, named_place_module,
		    &x, f);
	if (ret == 0)
		ret = alloc_by_index(&x, MODEL_KEEP_STACKS, &x.frames);
	if (ret == 0 && h->moments != 0)
		ret = alloc_by_index(&x, MODEL_KEEP_MOMENTS, &x.rows);
	if (ret == 0 && (m->keep & (MODEL_KEEP_HEAP | MODEL_KEEP_PLACES)) != 0)
		ret = read_profile_heap(&x);
	if (ret == 0 && !model_is_heap(m))
		ret = read_profile_time(&x);
	free(x.modules);
	free(x.frames);
	free(x.rows);
	free(x.timed);
	if (ret != 0)
		return ret;
	m->processes[x.process].cut |= d->cut != 0;
	add_profile_totals(m, d);
	return ret;
}

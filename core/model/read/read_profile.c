/*
 * Context: O.  Reads one decoded profile of libmon.so into the model: modules,
 * threads with their trees of nodes, arcs and moments.  Allocations and names
 * are read by read_profile_heap.c and read_profile_names.c.
 */
#include "read/read_profile.h"

#include "base/compare.h"
#include "read/merge_key.h"
#include "read/module_add.h"
#include "read/process_image.h"
#include "read/read_profile_names.h"
#include "base/vector.h"

#include <string.h>

static int
profile_out_of_memory(struct fault *f)
{
	return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
}

/* Returns when the module was mapped, ns since 1970. */
static uint64_t
module_load_time(const struct profile_reader *x, const struct format_module *r)
{
	const struct format_header *h = &x->file->header;

	return h->birth_real + (r->load_mono - h->birth_mono);
}

static void
key_by_file(const struct profile_reader *x, const struct format_module *r,
    struct merge_key *key)
{
	key->device = r->device;
	key->inode = r->inode;
	key->flags |= module_add_changed(key->path, module_load_time(x, r));
}

static int
add_profile_module(struct profile_reader *x, uint32_t record,
    const struct format_module *r, const char *path, size_t id_bytes)
{
	struct model *m = x->model;
	struct model_module *own;

	if (vector_grow(&m->modules, m->module_count, &m->module_room,
	    sizeof(*own)) != 0)
		return profile_out_of_memory(x->fault);
	own = &m->modules[m->module_count++];
	memset(own, 0, sizeof(*own));
	own->path = path;
	own->record = record;
	own->name = process_image_basename(path);
	own->build_id_bytes = id_bytes;
	memcpy(own->build_id, r->build_id, id_bytes);
	own->device = r->device;
	own->inode = r->inode;
	own->seen = module_load_time(x, r);
	own->flags = r->flags;
	own->process = x->process;
	own->start = r->start;
	own->end = r->end;
	return 0;
}

static int
map_module_record(struct profile_reader *x, uint32_t record, uint32_t module)
{
	if (vector_grow(&x->modules, x->module_count, &x->module_room,
	    sizeof(*x->modules)) != 0)
		return profile_out_of_memory(x->fault);
	x->modules[x->module_count++] = (struct read_profile_module) {
		.record = record, .module = module,
	};
	return 0;
}

static int
read_module_record(struct profile_reader *x, uint32_t record,
    const struct format_module *r)
{
	struct model *m = x->model;
	struct merge_key key = { .index = 0 }, *found;
	size_t id_bytes = r->build_id_bytes;
	uint32_t length;
	const char *path = decode_text(x->file, r->path, &length, x->fault);

	if (path == NULL)
		return -EINVAL;
	if ((r->flags & FORMAT_M_KERNEL) != 0 &&
	    m->processes[x->process].same_boot)
		return map_module_record(x, record, MODEL_MODULE_KERNEL);
	if (id_bytes > sizeof(r->build_id))
		id_bytes = sizeof(r->build_id);
	key.path = model_intern(m, path, length);
	key.flags = r->flags & (FORMAT_M_KERNEL | FORMAT_M_VDSO |
	    FORMAT_M_NO_ELF);
	memcpy(key.id, r->build_id, id_bytes);
	if (id_bytes == 0 && key.path != NULL)
		key_by_file(x, r, &key);
	/*
	 * Embedded names of one build must not be used for another build at the
	 * same path: the file's process becomes part of the key.
	 */
	if (id_bytes == 0 && x->file->header.names != 0)
		memcpy(key.id, &x->process, sizeof(x->process));
	found = key.path == NULL ? NULL : merge_key_find(&m->module_tree, &key,
	    (uint32_t)m->module_count);
	if (found == NULL)
		return profile_out_of_memory(x->fault);
	if (found->index == m->module_count &&
	    add_profile_module(x, record, r, key.path, id_bytes) != 0)
		return -ENOMEM;
	if (m->modules[found->index].seen > module_load_time(x, r))
		m->modules[found->index].seen = module_load_time(x, r);
	return map_module_record(x, record, found->index);
}

static int
compare_module_records(const void *left, const void *right)
{
	const struct read_profile_module *a = left, *b = right;

	return compare_u64(a->record, b->record);
}

static int
read_profile_modules(struct profile_reader *x)
{
	struct format_module r;
	uint32_t cursor = 0;
	int got;

	while ((got = decode_module(x->file, &cursor, &r, x->fault)) == 1) {
		got = read_module_record(x, cursor, &r);
		if (got != 0)
			return got;
	}
	if (x->module_count > 1)
		qsort(x->modules, x->module_count, sizeof(*x->modules),
		    compare_module_records);
	return got;
}

/*
 * Chooses the module of kernel functions.  A kernel before a reboot gets a
 * module with names only if the file has brought names.
 */
static int
find_kernel_module(struct profile_reader *x)
{
	const struct format_header *h = &x->file->header;
	const struct format_module none = { .flags = FORMAT_M_KERNEL };
	struct model *m = x->model;
	struct merge_key key = { .flags = FORMAT_M_KERNEL }, *found;

	x->kernel = m->processes[x->process].same_boot ? MODEL_MODULE_KERNEL :
	    MODEL_MODULE_REBOOTED;
	if (x->kernel == MODEL_MODULE_KERNEL || h->names == 0)
		return 0;
	key.path = m->modules[MODEL_MODULE_KERNEL].path;
	memcpy(key.id, h->boot_id, sizeof(h->boot_id));
	found = merge_key_find(&m->module_tree, &key,
	    (uint32_t)m->module_count);
	if (found == NULL)
		return profile_out_of_memory(x->fault);
	x->kernel = found->index;
	return found->index < m->module_count ? 0 :
	    add_profile_module(x, 0, &none, key.path, 0);
}

static uint32_t
find_listed_module(const struct profile_reader *x, uint32_t record)
{
	struct read_profile_module key = { .record = record }, *found;

	found = x->module_count == 0 ? NULL : bsearch(&key, x->modules,
	    x->module_count, sizeof(*x->modules), compare_module_records);
	return found == NULL ? MODEL_MODULE_UNLISTED : found->module;
}

uint32_t
read_profile_find_module(const struct profile_reader *x,
    const struct format_node *n)
{
	if (n->module == 0 && n->kind == FORMAT_KFUNC)
		return x->kernel;
	if (n->module == 0)
		return n->how == FORMAT_HOW_UNMAPPED ? MODEL_MODULE_NONE :
		    MODEL_MODULE_GENERATED;
	return find_listed_module(x, n->module);
}

/* Returns the process of a row: MODEL_NONE where all processes share rows. */
uint32_t
read_profile_process(const struct profile_reader *x, uint32_t module)
{
	return model_is_absolute(module) ||
	    (x->model->keep & MODEL_KEEP_PROCESS) != 0 ? x->process :
	    MODEL_NONE;
}

bool
read_profile_is_caller(const struct format_node *n)
{
	return n->kind == FORMAT_FRAME || n->kind == FORMAT_INTERRUPTED ||
	    n->kind == FORMAT_CUT;
}

/* Adds the frame of a caller; the frame of its own caller exists already. */
int
read_profile_add_frame(struct profile_reader *x, uint32_t index,
    const struct format_node *n)
{
	struct stack_frame key = {
		.caller = x->frames[n->parent],
		.kind = n->kind,
		.process = MODEL_NONE,
	};

	if (n->kind == FORMAT_CUT) {
		key.kind = FORMAT_FRAME;
		key.module = MODEL_MODULE_CUT + (n->address < FORMAT_CUTS ?
		    (uint32_t)n->address : 0);
	} else {
		key.module = read_profile_find_module(x, n);
		/*
		 * Frames of libmon.so stand between the program and libc, and
		 * are left out.
		 */
		if ((x->model->modules[key.module].flags & FORMAT_M_OURS)) {
			x->frames[index] = key.caller;
			return 0;
		}
		key.address = n->address;
		key.process = read_profile_process(x, key.module);
	}
	x->frames[index] = model_add_frame(x->model, &key);
	if (x->frames[index] == 0)
		return profile_out_of_memory(x->fault);
	if (n->how == FORMAT_HOW_GUESSED)
		x->model->stacks.frames[x->frames[index]].guessed = 1;
	return 0;
}

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

	if (read_profile_is_caller(n) && x->frames != NULL &&
	    read_profile_add_frame(x, index, n) != 0)
		return -ENOMEM;
	/*
	 * Callers count nothing themselves, and allocations are read from
	 * lanes.
	 */
	if ((n->count == 0 && n->ns == 0) || format_has_heap(n->kind))
		return 0;
	if (x->frames != NULL)
		row.stack = x->frames[n->parent];
	row.module = read_profile_find_module(x, n);
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
	row.process = read_profile_process(x, row.module);
	row.thread = (m->keep & MODEL_KEEP_THREAD) != 0 ? x->thread :
	    MODEL_NONE;
	if (model_is_cpu(row.kind)) {
		p->sample_ns += row.ns;
		p->samples += n->count;
	}
	if (model_merge_row(m, &row, &number) != 0)
		return profile_out_of_memory(x->fault);
	if (x->rows != NULL)
		x->rows[index] = number + 1;
	return 0;
}

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
			return profile_out_of_memory(x->fault);
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
	    find_listed_module(x, record);
}

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
	arc.self_process = read_profile_process(x, arc.self_module);
	arc.from_process = read_profile_process(x, arc.from_module);
	return model_add_arc(x->model, &arc) == 0 ? 0 :
	    profile_out_of_memory(x->fault);
}

/* Reads the arcs, unless threads are kept or selected: calls have no thread. */
static int
read_arcs(struct profile_reader *x)
{
	if ((x->model->keep & MODEL_KEEP_THREAD) != 0 ||
	    filter_is_on(x->model->filter, FILTER_THREAD))
		return 0;
	return decode_arcs(x->file, add_profile_arc, x, x->fault);
}

/*
 * Scales a moment of a node so that the moments of the node add up to its
 * scaled time.
 */
static uint32_t
scale_moment(const struct profile_reader *x, const struct format_logged_tick *r,
    uint32_t kind)
{
	uint64_t before;

	if (x->timed == NULL)
		return r->ns;
	before = sample_scale_ns(&x->scale, kind, x->timed[r->node]);
	x->timed[r->node] += r->ns;
	return (uint32_t)(sample_scale_ns(&x->scale, kind,
	    x->timed[r->node]) - before);
}

/*
 * Adds a moment.  A node that was left out, or that a truncated file does not
 * have, has no row; its moments are ignored.
 */
static int
add_profile_moment(void *arg, uint32_t thread,
    const struct format_logged_tick *r)
{
	const struct profile_reader *x = arg;
	struct model_moment own = { .real = x->real + r->mono };

	(void)thread;
	if (r->node > x->file->size / FORMAT_UNIT || x->rows[r->node] == 0)
		return 0;
	own.row = x->rows[r->node] - 1;
	own.ns = scale_moment(x, r, x->model->rows[own.row].kind);
	return model_add_moment(x->model, &own) == 0 ? 0 :
	    profile_out_of_memory(x->fault);
}

/*
 * Finds the offset of real time for the run.  The clock is kept by run, not by
 * boot, as time namespaces have clocks of their own.
 */
static int
find_run_clock(struct profile_reader *x)
{
	const struct format_header *h = &x->file->header;
	struct model *m = x->model;
	struct model_run own = {
		.pid = h->run_pid, .start = h->run_start,
		.pid_namespace = h->pid_namespace,
		.real = h->birth_real - h->birth_mono,
	};

	memcpy(own.boot_id, h->boot_id, sizeof(own.boot_id));
	for (size_t i = m->run_count; i-- > 0;) {
		const struct model_run *r = &m->runs[i];

		if (r->pid == own.pid && r->start == own.start &&
		    r->pid_namespace == own.pid_namespace &&
		    memcmp(r->boot_id, own.boot_id, sizeof(own.boot_id)) == 0) {
			x->real = r->real;
			return 0;
		}
	}
	if (vector_grow(&m->runs, m->run_count, &m->run_room, sizeof(own)) != 0)
		return profile_out_of_memory(x->fault);
	m->runs[m->run_count++] = own;
	x->real = own.real;
	return 0;
}

static int
read_moments(struct profile_reader *x)
{
	int ret = x->rows == NULL ? 0 : find_run_clock(x);

	if (x->rows != NULL && x->scale.taken_ns != 0) {
		x->timed = calloc(x->file->size / FORMAT_UNIT + 1,
		    sizeof(*x->timed));
		if (x->timed == NULL)
			return profile_out_of_memory(x->fault);
	}
	return x->rows == NULL || ret != 0 ? ret :
	    decode_tick_log(x->file, add_profile_moment, x, x->fault);
}

/*
 * Sets the scale of samples.  The CPU time of a process that was killed is not
 * used, as it was read before the last samples.
 */
static void
set_sample_scale(struct profile_reader *x)
{
	struct model_process *p = &x->model->processes[x->process];
	const bool known = p->life == MODEL_ENDED || p->life == MODEL_RUNNING;

	x->scale = sample_scale_of(&x->file->header, known ? p->cpu_ns : 0);
	p->scaled_ns += x->scale.taken_ns;
}

static int
read_profile_time(struct profile_reader *x)
{
	int ret;

	set_sample_scale(x);
	ret = read_profile_threads(x);
	if (ret == 0)
		ret = read_arcs(x);
	return ret != 0 ? ret : read_moments(x);
}

/*
 * Estimates the CPU time of all ticks: the first ticks as measured, each of the
 * others as the mean of those that were timed, ns.
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
	for (size_t i = 0; i < LOSS_MAX; i++)
		m->losses[i] += h->loss[i];
}

/* Returns the module of a place that has an embedded name. */
static uint32_t
named_place_module(const void *arg, const struct decode_place *p)
{
	const struct profile_reader *x = arg;

	if (p->module != 0)
		return find_listed_module(x, p->module);
	/* Addresses in the upper half are the kernel's. */
	return p->place.address >> 63 != 0 ? x->kernel :
	    MODEL_MODULE_GENERATED;
}

/*
 * Allocates an array with an element for each unit of the file, indexed by
 * node.  Only pages of nodes that exist are touched.
 */
static int
alloc_by_index(struct profile_reader *x, unsigned keep, uint32_t **all)
{
	if ((x->model->keep & keep) == 0)
		return 0;
	*all = calloc(x->file->size / FORMAT_UNIT + 1, sizeof(**all));
	return *all != NULL ? 0 : profile_out_of_memory(x->fault);
}

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
		return profile_out_of_memory(f);
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
		return profile_out_of_memory(f);
	if (ret == 0)
		ret = read_profile_modules(&x);
	if (ret == 0)
		ret = find_kernel_module(&x);
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

/*
 * Context: O.  Reads a tprof.out into the model, for read_inputs(), prof
 * --check, tprof analyze and tpfmt.
 *
 * The file is read twice: the first pass (check_*) checks it and learns
 * processes, events and kernel symbols.  A damaged file is read up to the
 * damage.
 */
#include "foreign/read_tprof.h"

#include "foreign/skipped_records.h"
#include "foreign/tprof_file.h"
#include "foreign/tprof_header.h"
#include "foreign/tprof_stacks.h"
#include "load.h"
#include "read_file.h"
#include "base/vector.h"

/*
 * Largest sum of an event in one file, so that sums over several files do not
 * overflow either.
 */
#define READ_TPROF_MAX	(UINT64_MAX / 4)

struct read_tprof {
	struct model *model;
	const struct read_tprof_request *file;
	struct fault *fault;
	struct tprof_reader in;
	struct tprof_item *item;
	struct tprof_header head;
	struct tprof_processes owners;
	struct tprof_stacks nodes;
	/* depth of each node; the first element is for no node */
	uint32_t *depths;
	size_t depth_count, depth_room;
};

/* A sample, with the place note that may follow it. */
struct pending_sample {
	struct tprof_record r;
	uint64_t offset;
	bool placed;
	uint32_t node;
	uint64_t weight, time;
};

/* Return 0; another result ends the pass, and the fault is set then. */
typedef int on_note(struct read_tprof *x, const struct tprof_item *item);
typedef int on_sample(struct read_tprof *x, const struct pending_sample *s);

/*
 * Calls `note` for each note and `sample` for each sample, as soon as it is
 * known whether a place follows the sample.
 */
static int
for_each_sample(struct read_tprof *x, on_note *note, on_sample *sample)
{
	struct pending_sample now = { .placed = true };
	int ret = tprof_open(&x->in, x->file->bytes, x->file->size, x->fault);

	while (ret == 0 &&
	    (ret = tprof_next(&x->in, x->item, x->fault)) == 1) {
		const struct tprof_item *i = x->item;
		const bool place = i->note &&
		    tprof_kind(i->n.flags) == TPROF_N_PLACE;
		const bool had = !now.placed;

		if (had && place) {
			now.node = i->n.a;
			now.weight = tprof_weight(&i->n);
			now.time = i->n.d;
		}
		now.placed = place;
		ret = !had ? 0 : sample(x, &now);
		now.placed = true;
		if (ret == 0 && i->note && !place)
			ret = note(x, i);
		if (!i->note)
			now = (struct pending_sample) {
				.r = i->sample, .offset = i->offset,
			};
	}
	return ret != 0 || now.placed ? ret : sample(x, &now);
}

/*
 * Returns the process of a sample.  Files of NetBSD's first version have only
 * program counters.
 */
static struct import_sample
sample_process(const struct read_tprof *x, const struct tprof_record *r)
{
	return x->in.layout == TPROF_COUNTERS ? (struct import_sample) {
		.pid = IMPORT_NO_PID, .tid = IMPORT_NO_PID,
	} : tprof_processes_find(&x->owners, r->pid, r->lwp);
}

/*
 * Returns the weight of a sample: that of its place or, without a place, the
 * period of its event.
 */
static uint64_t
sample_value(const struct read_tprof *x, const struct pending_sample *s)
{
	return s->placed ? s->weight :
	    tprof_header_period(&x->head, tprof_kind(s->r.flags));
}

static int
check_tprof_sample(struct read_tprof *x, const struct pending_sample *s)
{
	const struct import_sample own = sample_process(x, &s->r);
	const uint32_t number = tprof_kind(s->r.flags);
	struct tprof_header_event *event = &x->head.events[number];
	struct model_tprof *sum = &x->head.sum;
	uint64_t value;

	/* This settles the period of an event without a description. */
	if (!tprof_header_selects(&x->head, number)) {
		sum->others++;
		return 0;
	}
	sum->samples++;
	value = x->file->all && !x->file->adds_up ? 0 : sample_value(x, s);
	if (value > READ_TPROF_MAX / tprof_header_unit_ns(event) -
	    event->value)
		return fault_set(x->fault, "the counts are too large",
		    s->offset, 0);
	event->value += value;
	sum->value += x->file->all ? 0 : value;
	return import_processes_note(&x->owners.processes, &own) != 0 ?
	    fault_set_no_memory(x->fault) : 0;
}

static int
check_tprof_node(struct read_tprof *x, const struct tprof_item *i)
{
	uint32_t depth;

	if (vector_grow(&x->depths, x->depth_count + 1, &x->depth_room,
	    sizeof(*x->depths)) != 0)
		return fault_set_no_memory(x->fault);
	if (x->depth_count == 0)
		x->depths[x->depth_count++] = 0;
	depth = x->depths[i->n.a] + 1;
	if (depth > TPROF_STACKS_DEPTH_MAX)
		return fault_set(x->fault, "a stack is too deep",
		    i->offset, 0);
	x->depths[x->depth_count++] = depth;
	return 0;
}

static int
check_kernel_name(struct read_tprof *x, const struct tprof_item *i)
{
	const struct kernel_symbols_entry own = {
		.start = i->n.d, .bytes = i->n.b,
		.name = model_intern(x->model, i->text, strlen(i->text)),
	};

	return own.name == NULL || kernel_symbols_add(&x->nodes.ksyms,
	    &own) != 0 ? fault_set_no_memory(x->fault) : 0;
}

static int
check_tprof_note(struct read_tprof *x, const struct tprof_item *i)
{
	struct tprof_module module;

	switch (tprof_kind(i->n.flags)) {
	case TPROF_N_PROCESS:
	case TPROF_N_THREAD:
		return tprof_processes_note(&x->owners, &i->n, i->text,
		    i->text_bytes) != 0 ? fault_set_no_memory(x->fault) : 0;
	case TPROF_N_MODULE:
		return tprof_module_get(&module, i->text, i->text_bytes) ? 0 :
		    fault_set(x->fault, "a module has a wrong form",
		    i->offset, 0);
	case TPROF_N_NODE:
		return check_tprof_node(x, i);
	case TPROF_N_NAME:
		return check_kernel_name(x, i);
	default:
		return tprof_header_note(&x->head, &i->n, i->text) != 0 ?
		    fault_set_no_memory(x->fault) : 0;
	}
}

static int
add_tprof_note(struct read_tprof *x, const struct tprof_item *i)
{
	struct tprof_module module;
	int ret = 0;

	if (tprof_kind(i->n.flags) == TPROF_N_NODE)
		ret = tprof_stacks_add_node(&x->nodes, &i->n);
	else if (tprof_kind(i->n.flags) == TPROF_N_PROCESS)
		ret = tprof_processes_note(&x->owners, &i->n, i->text,
		    i->text_bytes);
	else if (tprof_kind(i->n.flags) == TPROF_N_MODULE &&
	    tprof_module_get(&module, i->text, i->text_bytes))
		ret = tprof_stacks_add_module(&x->nodes, &i->n, &module);
	return ret == 0 ? 0 : fault_set_no_memory(x->fault);
}

static int
add_tprof_moment(struct read_tprof *x, const struct pending_sample *s,
    uint64_t ns, uint32_t row)
{
	const struct model_moment own = {
		.real = x->head.real + s->time, .row = row,
		.ns = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX,
	};

	return (x->model->keep & MODEL_KEEP_MOMENTS) == 0 || s->time == 0 ||
	    ns == 0 ? 0 : model_add_moment(x->model, &own);
}

static int
report_sample(const struct read_tprof *x, const struct tprof_record *r,
    uint32_t row)
{
	const struct read_tprof_sample own = {
		.pid = r->pid, .lwp = r->lwp, .cpu = r->cpu, .row = row,
		.event = tprof_kind(r->flags), .pc = r->pc,
		.kernel = (r->flags & TPROF_F_KERNEL) != 0,
	};

	return x->file->each == NULL ? 0 : x->file->each(x->file->arg, &own);
}

static int
add_tprof_sample(struct read_tprof *x, const struct pending_sample *s)
{
	struct import_processes *processes = &x->owners.processes;
	const struct import_sample own = sample_process(x, &s->r);
	struct model_row row = {
		.thread = MODEL_NONE, .count = 1,
		.ns = x->file->all ? 0 : sample_value(x,
		    s) * x->head.sum.each_ns,
	};
	uint32_t number;

	if (!tprof_header_selects(&x->head, tprof_kind(s->r.flags)) ||
	    !import_processes_selected(processes, &own))
		return 0;
	tprof_header_note_time(&x->head, s->time);
	if (((x->model->keep & MODEL_KEEP_THREAD) != 0 &&
	    import_processes_thread(processes, &own, &row.thread) != 0) ||
	    tprof_stacks_locate(&x->nodes, &s->r, s->node,
	    import_processes_find(processes, &own), &row) != 0 ||
	    model_merge_row(x->model, &row, &number) != 0 ||
	    add_tprof_moment(x, s, row.ns, number) != 0 ||
	    report_sample(x, &s->r, number) != 0)
		return fault_set_no_memory(x->fault);
	return 0;
}

static int
check_tprof_file(struct read_tprof *x)
{
	int ret;

	tprof_header_begin(&x->head, x->model, x->file->event, x->file->all);
	ret = for_each_sample(x, check_tprof_note, check_tprof_sample);
	if (ret != 0)
		return ret;
	if (!tprof_header_event_found(&x->head)) {
		ret = fault_set(x->fault, "has no such event",
		    FAULT_NO_OFFSET, 0);
		x->fault->remedy = "prof --info names its events";
		return ret;
	}
	x->head.sum.cut = x->in.cut ||
	    (x->in.layout == TPROF_OURS && !x->in.ended);
	x->head.sum.bare = x->in.layout != TPROF_OURS;
	x->owners.booted = tprof_header_boot(&x->head, &x->owners.boot);
	return 0;
}

static int
add_tprof_file(struct read_tprof *x)
{
	struct model *m = x->model;
	int ret;

	tprof_processes_finish(&x->owners);
	ret = tprof_stacks_begin(&x->nodes) != 0 ?
	    fault_set_no_memory(x->fault) :
	    for_each_sample(x, add_tprof_note, add_tprof_sample);
	if (ret == 0 && tprof_header_finish(&x->head) != 0)
		ret = fault_set_no_memory(x->fault);
	m->files += ret == 0;
	m->files_foreign += ret == 0;
	return ret;
}

/*
 * Begins reading: makes the first pass, and sets *x to what it found.  Call
 * end_tprof() in any case.
 */
static int
begin_tprof(struct read_tprof *x, struct model *m,
    const struct read_tprof_request *file, struct fault *f)
{
	int ret;

	*x = (struct read_tprof) {
		.model = m, .file = file, .fault = f,
		.nodes = { .model = m, .owners = &x->owners },
	};
	tprof_processes_begin(&x->owners, m);
	x->item = malloc(sizeof(*x->item));
	ret = x->item == NULL ? fault_set_no_memory(x->fault) :
	    check_tprof_file(x);
	/* Up to the damage the file can be read, like a truncated one. */
	if (ret == -EINVAL && f->remedy == NULL && f->offset >= TPROF_RECORD &&
	    f->offset != FAULT_NO_OFFSET)
		f->remedy = "up to that place it can be read, for example "
		    "through head -c";
	return ret;
}

static void
end_tprof(struct read_tprof *x)
{
	free(x->item);
	free(x->depths);
	tprof_header_free(&x->head);
	tprof_stacks_free(&x->nodes);
	tprof_processes_free(&x->owners);
}

int
read_tprof_add(struct model *m, const struct read_tprof_request *file,
    struct fault *f)
{
	struct read_tprof x;
	int ret;

	if (!file->asked && !tprof_is(file->bytes, file->size))
		return LOAD_OTHER;
	ret = begin_tprof(&x, m, file, f);
	if (ret == 0)
		ret = add_tprof_file(&x);
	end_tprof(&x);
	return ret;
}

int
read_tprof_add_path(struct model *m, const struct read_tprof_request *file,
    const char *path, struct fault *f)
{
	struct read_tprof_request own = *file;
	int ret = tprof_file_read(&own, path, f);

	if (ret != 0)
		return ret;
	ret = read_tprof_add(m, &own, f);
	if (ret == -EINVAL && tprof_file_trim(&own, f)) {
		const struct model_skipped left = {
			.file = path, .unit = "record", .count = 1,
			.what = f->what, .first = f->offset,
		};

		ret = read_tprof_add(m, &own, f);
		ret = ret == 0 ? skipped_records_add(m, &left, f) :
		    ret == -ENOMEM ? ret : -EINVAL;
	}
	free((void *)own.bytes);
	return ret;
}

int
read_tprof_check(const char *path, struct read_tprof_sum *sum, struct fault *f)
{
	const struct filter everything = { 0 };
	struct read_tprof_request file = { .all = true, .adds_up = true };
	struct read_tprof x;
	struct model m;
	int ret = tprof_file_read(&file, path, f);

	if (ret != 0)
		return ret;
	if (model_init(&m, &everything, 0, DEMANGLE_OFF) != 0) {
		ret = fault_set_no_memory(f);
	} else {
		ret = begin_tprof(&x, &m, &file, f);
		*sum = (struct read_tprof_sum) {
			.modules = x.in.modules, .nodes = x.in.nodes,
			.samples = x.head.sum.samples, .bytes = file.size,
			.cut = x.in.cut, .ended = x.in.ended,
		};
		end_tprof(&x);
	}
	model_free(&m);
	free((void *)file.bytes);
	return ret;
}

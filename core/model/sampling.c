/*
 * Context: O.  Reads a tprof.out into the model.
 *
 * It reads the file twice, as files of other profilers are read.  A damaged
 * file is read up to the damage, as one that was cut short is.
 */
#include "sampling.h"

#include "grow.h"
#include "left.h"
#include "load.h"
#include "nodes.h"
#include "readall.h"
#include "samplinghead.h"

/* Sums of one file stay so far from an overflow. */
#define SAMPLING_MOST	(UINT64_MAX / 4)

struct sampling {
	struct model *model;
	const struct sampling_file *file;
	struct fault *fault;
	struct tprof_reader in;
	struct tprof_item *item;
	struct sampling_head head;
	struct owners owners;
	struct nodes nodes;
	uint32_t *depths;	/* of nodes; the first is of none */
	size_t depth_count, depth_room;
};

/* With the place that may follow it. */
struct taken {
	struct tprof_record r;
	uint64_t offset;
	bool placed;
	uint32_t node;
	uint64_t weight, time;
};

typedef int on_note(struct sampling *x, const struct tprof_item *item);
typedef int on_sample(struct sampling *x, const struct taken *s);

static int
memory(const struct sampling *x)
{
	return fault_set(x->fault, "out of memory", FAULT_NO_OFFSET, ENOMEM);
}

/* Each sample once it is known whether a place follows. */
static int
each(struct sampling *x, on_note *note, on_sample *sample)
{
	struct taken now = { .placed = true };
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
			now = (struct taken) {
				.r = i->sample, .offset = i->offset,
			};
	}
	return ret != 0 || now.placed ? ret : sample(x, &now);
}

/* NetBSD's first one has program counters alone. */
static struct import_sample
whose_is(const struct sampling *x, const struct tprof_record *r)
{
	return x->in.layout == TPROF_COUNTERS ? (struct import_sample) {
		.pid = IMPORT_NOBODY, .tid = IMPORT_NOBODY,
	} : owners_of(&x->owners, r->pid, r->lwp);
}

/* What has no place stands for what its event says. */
static uint64_t
value_of(const struct sampling *x, const struct taken *s)
{
	return s->placed ? s->weight :
	    samplinghead_period(&x->head, tprof_kind(s->r.flags));
}

static int
check_sample(struct sampling *x, const struct taken *s)
{
	const struct import_sample own = whose_is(x, &s->r);
	const uint32_t number = tprof_kind(s->r.flags);
	struct sampling_event *event = &x->head.events[number];
	struct model_sampling *sum = &x->head.sum;
	uint64_t value = value_of(x, s);

	if (!samplinghead_wants(&x->head, number)) {
		sum->others++;
		return 0;
	}
	sum->samples++;
	if (x->file->all && !x->file->adds_up)
		value = 0;
	if (value > SAMPLING_MOST / samplinghead_each_ns(event) -
	    event->value)
		return fault_set(x->fault, "more was counted than can be",
		    s->offset, 0);
	event->value += value;
	sum->value += x->file->all ? 0 : value;
	return whose_note(&x->owners.whose, &own) != 0 ? memory(x) : 0;
}

static int
check_node(struct sampling *x, const struct tprof_item *i)
{
	uint32_t depth;

	if (grow(&x->depths, x->depth_count + 1, &x->depth_room,
	    sizeof(*x->depths)) != 0)
		return memory(x);
	if (x->depth_count == 0)
		x->depths[x->depth_count++] = 0;
	depth = x->depths[i->n.a] + 1;
	if (depth > NODES_DEEPEST)
		return fault_set(x->fault, "a stack is deeper than any is",
		    i->offset, 0);
	x->depths[x->depth_count++] = depth;
	return 0;
}

static int
check_name(struct sampling *x, const struct tprof_item *i)
{
	const struct ksym own = {
		.start = i->n.d, .bytes = i->n.b,
		.name = model_text(x->model, i->text, strlen(i->text)),
	};

	return own.name == NULL || ksyms_add(&x->nodes.ksyms, &own) != 0 ?
	    memory(x) : 0;
}

static int
check_note(struct sampling *x, const struct tprof_item *i)
{
	struct tprof_module module;

	switch (tprof_kind(i->n.flags)) {
	case TPROF_N_PROCESS:
	case TPROF_N_THREAD:
		return owners_note(&x->owners, &i->n, i->text,
		    i->text_bytes) != 0 ? memory(x) : 0;
	case TPROF_N_MODULE:
		return tprof_module_get(&module, i->text, i->text_bytes) ? 0 :
		    fault_set(x->fault, "a module is not spelled as one is",
		    i->offset, 0);
	case TPROF_N_NODE:
		return check_node(x, i);
	case TPROF_N_NAME:
		return check_name(x, i);
	default:
		return samplinghead_note(&x->head, &i->n, i->text) != 0 ?
		    memory(x) : 0;
	}
}

static int
add_note(struct sampling *x, const struct tprof_item *i)
{
	struct tprof_module module;
	int ret = 0;

	if (tprof_kind(i->n.flags) == TPROF_N_NODE)
		ret = nodes_add(&x->nodes, &i->n);
	else if (tprof_kind(i->n.flags) == TPROF_N_PROCESS)
		ret = owners_note(&x->owners, &i->n, i->text, i->text_bytes);
	else if (tprof_kind(i->n.flags) == TPROF_N_MODULE &&
	    tprof_module_get(&module, i->text, i->text_bytes))
		ret = nodes_module(&x->nodes, &i->n, &module);
	return ret == 0 ? 0 : memory(x);
}

static int
add_moment(struct sampling *x, const struct taken *s, uint64_t ns,
    uint32_t row)
{
	const struct model_moment own = {
		.real = x->head.real + s->time, .row = row,
		.ns = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX,
	};

	return (x->model->keep & MODEL_KEEP_MOMENTS) == 0 || s->time == 0 ||
	    ns == 0 ? 0 : model_add_moment(x->model, &own);
}

static int
tell(const struct sampling *x, const struct tprof_record *r, uint32_t row)
{
	const struct sampling_sample own = {
		.pid = r->pid, .lwp = r->lwp, .cpu = r->cpu, .row = row,
		.event = tprof_kind(r->flags), .pc = r->pc,
		.kernel = (r->flags & TPROF_F_KERNEL) != 0,
	};

	return x->file->each == NULL ? 0 : x->file->each(x->file->arg, &own);
}

static int
add_sample(struct sampling *x, const struct taken *s)
{
	struct whose *whose = &x->owners.whose;
	const struct import_sample own = whose_is(x, &s->r);
	struct model_row row = {
		.thread = MODEL_NONE, .count = 1,
		.ns = x->file->all ? 0 : value_of(x, s) * x->head.sum.each_ns,
	};
	uint32_t number;

	if (!samplinghead_wants(&x->head, tprof_kind(s->r.flags)) ||
	    !whose_wants(whose, &own))
		return 0;
	if ((x->model->keep & MODEL_KEEP_THREAD) != 0 &&
	    whose_thread(whose, &own, &row.thread) != 0)
		return memory(x);
	if (nodes_place(&x->nodes, &s->r, s->node,
	    whose_process(whose, &own), &row) != 0 ||
	    model_enter_row(x->model, &row, &number) != 0 ||
	    add_moment(x, s, row.ns, number) != 0 ||
	    tell(x, &s->r, number) != 0)
		return memory(x);
	return 0;
}

static int
check(struct sampling *x)
{
	int ret;

	samplinghead_begin(&x->head, x->model, x->file->event, x->file->all);
	ret = each(x, check_note, check_sample);
	if (ret != 0)
		return ret;
	if (!samplinghead_settle(&x->head)) {
		ret = fault_set(x->fault, "has no such event",
		    FAULT_NO_OFFSET, 0);
		x->fault->remedy = "prof --info names those that it has";
		return ret;
	}
	x->head.sum.cut = x->in.cut ||
	    (x->in.layout == TPROF_OURS && !x->in.ended);
	x->head.sum.bare = x->in.layout != TPROF_OURS;
	x->owners.booted = samplinghead_boot(&x->head, &x->owners.boot);
	return 0;
}

static int
add(struct sampling *x)
{
	struct model *m = x->model;
	int ret;

	owners_settle(&x->owners);
	ret = nodes_begin(&x->nodes) != 0 ? memory(x) :
	    each(x, add_note, add_sample);
	if (ret == 0 && samplinghead_end(&x->head) != 0)
		ret = memory(x);
	m->files += ret == 0;
	m->files_foreign += ret == 0;
	return ret;
}

/* Read once: *x has what there is; sampling_end() in any case. */
static int
sampling_begin(struct sampling *x, struct model *m,
    const struct sampling_file *file, struct fault *f)
{
	int ret;

	*x = (struct sampling) {
		.model = m, .file = file, .fault = f,
		.nodes = { .model = m, .owners = &x->owners },
	};
	owners_begin(&x->owners, m);
	x->item = malloc(sizeof(*x->item));
	ret = x->item == NULL ? memory(x) : check(x);
	/* Then it is as one that was cut. */
	if (ret == -EINVAL && f->remedy == NULL && f->offset >= TPROF_RECORD &&
	    f->offset != FAULT_NO_OFFSET)
		f->remedy = "up to there it can be read, as by head -c";
	return ret;
}

static void
sampling_end(struct sampling *x)
{
	free(x->item);
	free(x->depths);
	samplinghead_free(&x->head);
	nodes_free(&x->nodes);
	owners_free(&x->owners);
}

int
sampling_add(struct model *m, const struct sampling_file *file,
    struct fault *f)
{
	struct sampling x;
	int ret;

	if (!file->asked && !tprof_is(file->bytes, file->size))
		return LOAD_OTHER;
	ret = sampling_begin(&x, m, file, f);
	if (ret == 0)
		ret = add(&x);
	sampling_end(&x);
	return ret;
}

bool
sampling_trim(struct sampling_file *file, const struct fault *f)
{
	if (f->errnum != 0 || f->offset == FAULT_NO_OFFSET ||
	    f->offset < TPROF_RECORD || f->offset >= file->size)
		return false;
	file->size = f->offset;
	return true;
}

bool
sampling_is(const char *path)
{
	unsigned char first[TPROF_RECORD];

	return tprof_is(first, readall_first(path, first, sizeof(first)));
}

/* Most files are none, and may be long: their first bytes say so. */
static int
sampling_bytes(struct sampling_file *file, const char *path, struct fault *f)
{
	unsigned char *bytes;
	int ret;

	if (!file->asked && !sampling_is(path))
		return LOAD_OTHER;
	ret = readall(path, &bytes, &file->size, f);
	file->bytes = bytes;
	if (ret != 0)
		free(bytes);
	return ret == READALL_NONE ? LOAD_OTHER : ret;
}

int
sampling_read(struct model *m, const struct sampling_file *file,
    const char *path, struct fault *f)
{
	struct sampling_file own = *file;
	int ret = sampling_bytes(&own, path, f);

	if (ret != 0)
		return ret;
	ret = sampling_add(m, &own, f);
	if (ret == -EINVAL && sampling_trim(&own, f)) {
		const struct model_left left = {
			.file = path, .unit = "record", .count = 1,
			.what = f->what, .first = f->offset,
		};

		ret = sampling_add(m, &own, f) == 0 ? left_add(m, &left, f) :
		    -EINVAL;
	}
	free((void *)own.bytes);
	return ret;
}

int
sampling_check(const char *path, struct sampling_sum *sum, struct fault *f)
{
	const struct filter everything = { .asleep = false };
	struct sampling_file file = { .all = true, .adds_up = true };
	struct sampling x;
	struct model m;
	int ret = sampling_bytes(&file, path, f);

	if (ret != 0)
		return ret;
	if (model_init(&m, &everything, 0, DEMANGLE_OFF) != 0) {
		ret = fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	} else {
		ret = sampling_begin(&x, &m, &file, f);
		*sum = (struct sampling_sum) {
			.modules = x.in.modules, .nodes = x.in.nodes,
			.samples = x.head.sum.samples, .bytes = file.size,
			.cut = x.in.cut, .ended = x.in.ended,
		};
		sampling_end(&x);
	}
	model_free(&m);
	free((void *)file.bytes);
	return ret;
}

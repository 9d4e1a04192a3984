/*
 * Context: O.  Writes the profile of pprof, for export_write() and the prof
 * device: profile.proto, compressed.
 *
 * A message is equal to its parts written one behind the other.  So each sample
 * and each location is packed by itself, and memory is needed for the distinct
 * places only.  sample_paths_address() gives each module a range of its own,
 * because pprof knows one process only.  A caller has the address of its call,
 * not the return address.
 */
#include "tools/export_pprof.h"

#include "derive/sample_paths.h"
#include "tools/pprof_places.h"
#include "tools/pprof_writer.h"

#include <errno.h>
#include <stdlib.h>

#define LABELS	4
/* Values of blocks; those of mappings follow them */
#define BLOCK_VALUES	8
#define VALUES	12	/* most values of a sample */

/* The export of a model. */
struct pprof {
	struct model *model;
	struct sample_paths in;
	struct pprof_writer to;
	struct pprof_places places;
	uint64_t *ids;		/* room for the deepest stack */
};

static size_t
set_pprof_label(struct pprof *x, Pprof__Label *l, const char *key,
    const char *value)
{
	pprof__label__init(l);
	l->key = pprof_writer_string(&x->to, key);
	l->str = pprof_writer_string(&x->to, value);
	return 1;
}

static size_t
label_number(struct pprof *x, Pprof__Label *l, const char *key, int64_t value)
{
	pprof__label__init(l);
	l->key = pprof_writer_string(&x->to, key);
	l->num = value;
	return 1;
}

/* Makes the labels of a row, at most LABELS; returns their number. */
static size_t
label_row(struct pprof *x, const struct model_row *r, Pprof__Label *l)
{
	const struct model *m = x->model;
	size_t n = 0;

	if (r->process != MODEL_NONE) {
		n += set_pprof_label(x, &l[n], "process",
		    m->processes[r->process].program);
		n += label_number(x, &l[n], "pid",
		    m->processes[r->process].pid);
	}
	if (r->thread != MODEL_NONE) {
		const char *name = sample_paths_thread(&x->in, r->thread);

		x->to.failed |= name == NULL;
		n += set_pprof_label(x, &l[n], "thread", name == NULL ? "" :
		    name);
		n += label_number(x, &l[n], "tid",
		    m->threads[r->thread].thread.tid);
	}
	return n;
}

static bool
is_heap(const struct pprof *x)
{
	return model_is_heap(x->model);
}

struct type {
	const char *what, *unit;
	enum metric measure;
};

/*
 * Metrics of the heap.  The first four are named as Go names them, which has
 * only these.
 */
static const struct type heap_types[VALUES] = {
	{ "alloc_objects", "count", METRIC_BLOCKS },
	{ "alloc_space", "bytes", METRIC_TOTAL },
	{ "inuse_objects", "count", METRIC_LIVE_BLOCKS },
	{ "inuse_space", "bytes", METRIC_LIVE },
	{ "freed_space", "bytes", METRIC_FREED },
	{ "temporary_objects", "count", METRIC_TEMPORARY },
	{ "peak_space", "bytes", METRIC_PEAK },
	{ "high_space", "bytes", METRIC_HIGH },
	{ "mapped_space", "bytes", METRIC_MAPPED },
	{ "mapped_peak_space", "bytes", METRIC_MAPPED_PEAK },
	{ "mapped_total_space", "bytes", METRIC_MAPPED_TOTAL },
	{ "mappings", "count", METRIC_MAPPINGS },
};

static size_t
value_count(const struct pprof *x)
{
	return !is_heap(x) ? 2 : x->model->map_files != 0 ? VALUES :
	    BLOCK_VALUES;
}

/*
 * Stores the values of a row in the order of put_types().  Returns how many
 * there are.
 */
static size_t
values_of(const struct pprof *x, const struct model_row *r, int64_t *values)
{
	const struct model_heap *h = model_heap(x->model, r);

	if (!is_heap(x)) {
		values[0] = (int64_t)r->count;
		values[1] = (int64_t)r->ns;
		return 2;
	}
	for (size_t i = 0; i < value_count(x); i++)
		values[i] = (int64_t)metric_value(heap_types[i].measure, h);
	return value_count(x);
}

/* Writes the sample of a row, to which x->in points, after its places. */
static void
put_pprof_sample(struct pprof *x, size_t row)
{
	const struct model_row *r = &x->model->rows[row];
	Pprof__Sample own = PPROF__SAMPLE__INIT, *one = &own;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Label labels[LABELS], *list[LABELS];
	int64_t values[VALUES];

	own.location_id = x->ids;
	for (size_t i = 0; i < x->in.depth; i++)
		x->ids[own.n_location_id++] = pprof_places_location(
		    &x->places, x->in.path[i]);
	for (size_t i = 0; i < LABELS; i++)
		list[i] = &labels[i];
	own.n_label = label_row(x, r, labels);
	own.label = list;
	own.n_value = values_of(x, r, values);
	own.value = values;
	part.n_sample = 1;
	part.sample = &one;
	pprof_writer_put(&x->to, &part);
}

/*
 * Writes the kinds of values of a sample, and which of them pprof shows first:
 * what rows weigh.
 */
static void
put_types(struct pprof *x)
{
	const struct type time_types[] = {
		{ "samples", "count", METRICS },
		{ x->model->filter->asleep ? "sleep" : "cpu", "nanoseconds",
		    METRIC_TIME },
	};
	const struct type *types = is_heap(x) ? heap_types : time_types;
	const size_t n = value_count(x);
	Pprof__ValueType own[VALUES], *list[VALUES];
	Pprof__Profile part = PPROF__PROFILE__INIT;
	size_t shown = 0;

	for (size_t i = 0; i < n; i++) {
		if (types[i].measure == x->model->measure)
			shown = i;
		pprof__value_type__init(&own[i]);
		own[i].type = pprof_writer_string(&x->to, types[i].what);
		own[i].unit = pprof_writer_string(&x->to, types[i].unit);
		list[i] = &own[i];
	}
	part.n_sample_type = n;
	part.sample_type = list;
	part.period_type = list[shown];
	part.default_sample_type = own[shown].type;
	pprof_writer_put(&x->to, &part);
}

/* Writes the time of the run, and what a sample is on average. */
static void
put_run(struct pprof *x)
{
	const struct model *m = x->model;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	uint64_t first = UINT64_MAX, last = 0, ns = 0, samples = 0;
	int64_t comment;

	for (size_t i = 0; i < m->process_count; i++) {
		const struct model_process *p = &m->processes[i];

		if (p->birth_real != 0 && p->birth_real < first)
			first = p->birth_real;
		if (p->end_real > last)
			last = p->end_real;
		ns += p->sample_ns;
		samples += p->samples;
	}
	if (first != UINT64_MAX)
		part.time_nanos = (int64_t)first;
	if (last > first)
		part.duration_nanos = (int64_t)(last - first);
	if (samples != 0)
		part.period = (int64_t)(ns / samples);
	comment = pprof_writer_string(&x->to,
	    "written by prof (libmon) " PACKAGE_VERSION);
	part.n_comment = 1;
	part.comment = &comment;
	pprof_writer_put(&x->to, &part);
}

/*
 * Writes all parts.  Skips rows that are no selected sample; see
 * sample_paths_get().  Stops at the first failure of memory; an error of the
 * output shows when the caller closes it.
 */
static void
put_profile(struct pprof *x)
{
	struct model *m = x->model;

	pprof_writer_string(&x->to, "");
	put_types(x);
	put_run(x);
	pprof_places_put_mappings(&x->places);
	for (size_t i = 0; i < m->row_count && !x->to.failed; i++)
		if (sample_paths_get(&x->in, i))
			put_pprof_sample(x, i);
	pprof_writer_put_strings(&x->to);
}

int
export_pprof(struct model *m, FILE *out)
{
	struct pprof x = { .model = m, .to.arena = &m->arena };
	int ret = sample_paths_open(&x.in, m);

	if (ret == 0) {
		ret = pprof_places_open(&x.places, &x.to, &x.in);
		x.ids = calloc(x.in.depth_most + 1, sizeof(*x.ids));
	}
	if (ret == 0)
		ret = x.ids == NULL ? -ENOMEM : gzip_open(&x.to.zip, out);
	if (ret == 0) {
		put_profile(&x);
		gzip_close(&x.to.zip);
		ret = x.to.failed ? -ENOMEM : 0;
	}
	sample_paths_close(&x.in);
	pprof_places_close(&x.places);
	string_pool_free(&x.to.strings);
	free(x.ids);
	return ret;
}

/*
 * Context: O.  Writes the profile of pprof: profile.proto, compressed.
 *
 * A message is equal to its parts written one behind the other.  So each sample
 * and each location is packed by itself, and memory is needed for the distinct
 * places only.  Addresses, which may be of several modules in many processes,
 * are changed as if all modules had been in one process; callers have the
 * address of their call, not the return address.
 */
#include "tools/export_pprof.h"

#include "base/string_pool.h"
#include "base/utf8.h"
#include "derive/sample_paths.h"
#include "tools/gzip.h"

#include <errno.h>
#include <inttypes.h>
#include <pprof.pb-c.h>	/* protoc-c makes it */
#include <stdlib.h>
#include <string.h>

#define LABELS	4
/* Values of blocks; those of mappings follow them */
#define BLOCK_VALUES	8
#define VALUES	12	/* most values of a sample */

struct pprof {
	struct model *model;
	struct gzip zip;
	struct sample_paths in;
	struct string_pool strings;
	bool *met;		/* by site: it has been written */
	/*
	 * By "FUNCTION FILE", as functions of pprof have one source file each
	 */
	struct string_pool functions;
	uint64_t *ids;		/* room for the deepest stack */
	bool failed;		/* memory was out */
};

/*
 * Returns a text as UTF-8, which pprof requires; each byte that is none is
 * replaced by U+FFFD.
 */
static const char *
clean_utf8(struct pprof *x, const char *text)
{
	char *copy = NULL;
	const char *kept = NULL;
	size_t bytes;
	FILE *to;

	if (utf8_is_valid(text))
		return text;
	to = open_memstream(&copy, &bytes);
	if (to == NULL)
		return NULL;
	utf8_put(to, text);
	if (fclose(to) == 0)
		kept = arena_copy(&x->model->arena, copy, bytes);
	free(copy);
	return kept;
}

static int64_t
pprof_string(struct pprof *x, const char *text)
{
	const char *own = clean_utf8(x, text);
	uint32_t number = own == NULL ? UINT32_MAX :
	    string_pool_add(&x->strings, own);

	x->failed |= number == UINT32_MAX;
	return number;
}

static void
put_pprof_part(struct pprof *x, const Pprof__Profile *part)
{
	const size_t bytes = pprof__profile__get_packed_size(part);
	uint8_t *packed = malloc(bytes + 1);

	if (packed == NULL) {
		x->failed = true;
		return;
	}
	pprof__profile__pack(part, packed);
	gzip_write(&x->zip, packed, bytes);
	free(packed);
}

/* Returns the number of a function, which is written when it is first met. */
static uint64_t
put_function(struct pprof *x, uint32_t function, uint32_t file)
{
	const size_t before = x->functions.count;
	const struct model_function *f = &x->model->functions[function];
	const char *name = model_function_name(x->model, function);
	Pprof__Function own = PPROF__FUNCTION__INIT, *list = &own;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	char key[32];
	const char *kept;

	snprintf(key, sizeof(key), "%" PRIu32 " %" PRIu32, function, file);
	kept = model_intern(x->model, key, strlen(key));
	own.id = kept == NULL ? 0 :
	    (uint64_t)string_pool_add(&x->functions, kept) + 1;
	if (name == NULL || own.id == 0 || own.id > UINT32_MAX) {
		x->failed = true;
		return 0;
	}
	if (x->functions.count == before)
		return own.id;
	own.name = pprof_string(x, name);
	own.system_name = pprof_string(x, f->named ? f->name : name);
	own.filename = pprof_string(x, file == MODEL_NONE ? "" :
	    x->model->sources.paths.all[file]);
	part.n_function = 1;
	part.function = &list;
	put_pprof_part(x, &part);
	return own.id;
}

/* Makes the lines of a site.  A site without lines has the function alone. */
static size_t
put_lines(struct pprof *x, const struct code_location *site, Pprof__Line *lines,
    Pprof__Line **list)
{
	const size_t count = site->scopes == 0 ? 1 : site->scopes;

	for (size_t i = 0; i < count; i++) {
		const struct model_scope none = {
			.file = MODEL_NONE, .function = site->function,
		};
		const struct model_scope *s = site->scopes == 0 ? &none :
		    &x->model->scopes[site->scope + i];

		pprof__line__init(&lines[i]);
		lines[i].function_id = put_function(x, s->function, s->file);
		lines[i].line = s->line;
		list[i] = &lines[i];
	}
	return count;
}

/*
 * Returns the number of a site, from 1 on.  The site is written when it is
 * first met.
 */
static uint64_t
put_site(struct pprof *x, uint32_t number)
{
	const struct code_location *site = &x->in.sites.all[number];
	const size_t room = site->scopes == 0 ? 1 : site->scopes;
	Pprof__Location own = PPROF__LOCATION__INIT, *one = &own;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Line *lines, **list;

	if (x->met[number])
		return (uint64_t)number + 1;
	x->met[number] = true;
	lines = calloc(room, sizeof(*lines));
	list = calloc(room, sizeof(*list));
	if (lines != NULL && list != NULL) {
		own.n_line = put_lines(x, site, lines, list);
		own.line = list;
		own.id = (uint64_t)number + 1;
		own.mapping_id = x->in.layout[site->module].used ?
		    site->module : 0;
		own.address = sample_paths_address(&x->in, number);
		part.n_location = 1;
		part.location = &one;
		put_pprof_part(x, &part);
	}
	x->failed |= lines == NULL || list == NULL;
	free(lines);
	free(list);
	return (uint64_t)number + 1;
}

static size_t
set_pprof_label(struct pprof *x, Pprof__Label *l, const char *key,
    const char *value)
{
	pprof__label__init(l);
	l->key = pprof_string(x, key);
	l->str = pprof_string(x, value);
	return 1;
}

static size_t
label_number(struct pprof *x, Pprof__Label *l, const char *key, int64_t value)
{
	pprof__label__init(l);
	l->key = pprof_string(x, key);
	l->num = value;
	return 1;
}

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

		x->failed |= name == NULL;
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
		x->ids[own.n_location_id++] = put_site(x, x->in.path[i]);
	for (size_t i = 0; i < LABELS; i++)
		list[i] = &labels[i];
	own.n_label = label_row(x, r, labels);
	own.label = list;
	own.n_value = values_of(x, r, values);
	own.value = values;
	part.n_sample = 1;
	part.sample = &one;
	put_pprof_part(x, &part);
}

/*
 * Writes a mapping.  The program is written first, as pprof takes the first
 * mapping for it.
 */
static void
put_mapping(struct pprof *x, uint32_t module)
{
	const struct model_module *m = &x->model->modules[module];
	const struct address_layout_module *l = &x->in.layout[module];
	Pprof__Mapping own = PPROF__MAPPING__INIT, *one = &own;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	char id[2 * sizeof(m->build_id) + 1] = "";
	const char *kept;

	for (size_t i = 0; i < m->build_id_bytes; i++)
		snprintf(id + 2 * i, 3, "%02x", m->build_id[i]);
	kept = model_intern(x->model, id, strlen(id));
	x->failed |= kept == NULL;
	own.id = module;
	own.memory_start = l->start;
	own.memory_limit = l->limit;
	own.file_offset = l->offset;
	own.filename = pprof_string(x, m->path);
	own.build_id = pprof_string(x, kept == NULL ? "" : kept);
	own.has_functions = own.has_filenames = own.has_line_numbers =
	    own.has_inline_frames = true;
	part.n_mapping = 1;
	part.mapping = &one;
	put_pprof_part(x, &part);
}

static void
put_mappings(struct pprof *x)
{
	const struct model *m = x->model;

	for (unsigned turn = 0; turn < 2; turn++)
		for (uint32_t i = MODEL_MODULES; i < m->module_count; i++)
			if (x->in.layout[i].used && (turn == 0) ==
			    ((m->modules[i].flags & FORMAT_M_MAIN) != 0))
				put_mapping(x, i);
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
		own[i].type = pprof_string(x, types[i].what);
		own[i].unit = pprof_string(x, types[i].unit);
		list[i] = &own[i];
	}
	part.n_sample_type = n;
	part.sample_type = list;
	part.period_type = list[shown];
	part.default_sample_type = own[shown].type;
	put_pprof_part(x, &part);
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
	comment = pprof_string(x, "written by prof (libmon) " PACKAGE_VERSION);
	part.n_comment = 1;
	part.comment = &comment;
	put_pprof_part(x, &part);
}

static void
put_strings(struct pprof *x)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;

	for (size_t i = 0; i < x->strings.count; i++) {
		char *one = (char *)(uintptr_t)x->strings.all[i];

		part.n_string_table = 1;
		part.string_table = &one;
		put_pprof_part(x, &part);
	}
}

static void
put_profile(struct pprof *x)
{
	struct model *m = x->model;

	pprof_string(x, "");
	put_types(x);
	put_run(x);
	put_mappings(x);
	for (size_t i = 0; i < m->row_count && !x->failed; i++)
		if (sample_paths_get(&x->in, i))
			put_pprof_sample(x, i);
	put_strings(x);
}

int
export_pprof(struct model *m, FILE *out)
{
	struct pprof x = { .model = m };
	int ret = sample_paths_open(&x.in, m);

	if (ret == 0) {
		x.met = calloc(x.in.sites.count + 1, sizeof(*x.met));
		x.ids = calloc(x.in.depth_most + 1, sizeof(*x.ids));
		ret = x.met == NULL || x.ids == NULL ? -ENOMEM :
		    gzip_open(&x.zip, out);
	}
	if (ret == 0) {
		put_profile(&x);
		gzip_close(&x.zip);
		ret = x.failed ? -ENOMEM : 0;
	}
	sample_paths_close(&x.in);
	string_pool_free(&x.strings);
	string_pool_free(&x.functions);
	free(x.met);
	free(x.ids);
	return ret;
}

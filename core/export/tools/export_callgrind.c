/*
 * Context: O.  Writes call stacks for callgrind_annotate and KCachegrind: the
 * time of each instruction and line, and of each call with all that was done in
 * it.  A heap profile has all its metrics side by side, first the one that rows
 * weigh.
 *
 * A function that is on a stack several times gets that time once.  The number
 * of a call is what was counted, or 1 if nothing was counted: samples do not
 * tell the number, and without any callgrind_annotate takes the time of the
 * call for the caller's own.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "tools/export_callgrind.h"

#include "base/compare.h"
#include "derive/sample_paths.h"
#include "base/hash_index.h"
#include "stack/graph.h"
#include "base/vector.h"

#include <inttypes.h>
#include <string.h>

/* Time at a place of a function: its own, or that of the calls from there. */
struct cost {
	uint32_t function;
	uint32_t callee;	/* MODEL_NONE: the function's own time */
	uint32_t site, file, line;
	uint32_t stamp;		/* number + 1 of the last row that was added */
	uint64_t values[METRICS];	/* by number in x.events */
};

struct callgrind {
	FILE *out;
	struct sample_paths in;
	struct cost *costs;
	size_t count, room;
	struct hash_index by_key;
	struct graph calls;
	uint32_t *file_of;	/* by function: the file that it is listed in */
	/* By function, file and module: the numbered text was written */
	bool *named;
	bool *file_named;
	bool *module_named;
	enum metric events[METRICS];
	unsigned event_count;
	uint64_t total[METRICS];
};

static bool
is_same(const struct cost *a, const struct cost *b)
{
	return a->function == b->function && a->callee == b->callee &&
	    a->site == b->site && a->file == b->file && a->line == b->line;
}

static int
add_cost(struct callgrind *x, const struct cost *c)
{
	const uint32_t hash = hash_index_hash(((uint64_t)c->function << 32 |
	    c->callee) ^ (uint64_t)c->site << 16 ^ (uint64_t)c->line << 40);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&x->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;) {
		struct cost *own = &x->costs[n];

		if (!is_same(own, c))
			continue;
		for (unsigned i = 0; i < x->event_count; i++)
			if (own->stamp != c->stamp)
				own->values[i] += c->values[i];
		own->stamp = c->stamp;
		return 0;
	}
	if (x->count >= UINT32_MAX - 1 || vector_grow(&x->costs, x->count,
	    &x->room, sizeof(*x->costs)) != 0 || hash_index_add(&x->by_key,
	    hash, (uint32_t)x->count) != 0)
		return -ENOMEM;
	x->costs[x->count++] = *c;
	return 0;
}

static void
choose_events(struct callgrind *x)
{
	const enum metric first = x->in.model->measure;
	enum metric next = first;

	do {
		x->events[x->event_count++] = next;
		next = model_is_heap(x->in.model) ?
		    model_heap_next_metric(x->in.model, next) : first;
	} while (next != first);
}

static uint64_t
value_of(const struct callgrind *x, const struct model_row *r, unsigned event)
{
	return x->events[event] == METRIC_TIME ? r->ns :
	    metric_value(x->events[event], model_heap(x->in.model, r));
}

static int
add_sample(struct callgrind *x, uint32_t row)
{
	const struct model_row *r = &x->in.model->rows[row];
	uint32_t callee = MODEL_NONE;
	int ret = sample_paths_get_frames(&x->in);

	for (size_t i = 0; i < x->in.frame_count && ret == 0; i++) {
		const struct sample_paths_frame *f = &x->in.frames[i];
		struct cost c = {
			.function = f->function, .callee = callee,
			.site = f->site, .file = f->file, .line = f->line,
			.stamp = row + 1,
		};

		if (x->file_of[f->function] == MODEL_NONE)
			x->file_of[f->function] = f->file;
		callee = f->function;
		for (unsigned k = 0; k < x->event_count; k++)
			c.values[k] = value_of(x, r, k);
		/*
		 * Each row has a place of its own, so it is never twice on a
		 * path.
		 */
		ret = add_cost(x, &c);
	}
	for (unsigned k = 0; k < x->event_count; k++)
		x->total[k] += value_of(x, r, k);
	return ret;
}

/* Adds the calls that were counted, also where no sample was taken. */
static int
add_calls(struct callgrind *x)
{
	const struct model *m = x->in.model;
	int ret = 0;

	for (size_t i = 0; i < m->arc_count && ret == 0; i++) {
		const struct model_row *from = &m->rows[m->arcs[i].from_row];
		const struct model_row *self = &m->rows[m->arcs[i].self_row];
		const struct model_scope *s = from->scopes == 0 ? NULL :
		    &m->scopes[from->scope];
		const struct cost c = {
			.function = model_innermost_function(m, from),
			.callee = self->function,
			.site = x->in.sites.of_row[m->arcs[i].from_row],
			.file = s == NULL ? MODEL_NONE : s->file,
			.line = s == NULL ? 0 : s->line,
		};

		if (x->file_of[c.function] == MODEL_NONE)
			x->file_of[c.function] = c.file;
		ret = add_cost(x, &c);
	}
	return ret;
}

static int
compare_costs(const void *left, const void *right, void *arg)
{
	const struct cost *a = left, *b = right;
	const struct callgrind *x = arg;
	int d = compare_u64(a->function, b->function);

	if (d == 0)	/* own costs first */
		d = compare_u64(a->callee + 1, b->callee + 1);
	if (d == 0)
		d = compare_u64(a->file, b->file);
	if (d == 0)
		d = compare_u64(a->line, b->line);
	return d != 0 ? d : compare_u64(x->in.sites.all[a->site].address,
	    x->in.sites.all[b->site].address);
}

/* Writes "(7) name" the first time and "(7)" from then on. */
static void
put_text(FILE *out, uint32_t number, bool *written, const char *text)
{
	fprintf(out, "(%" PRIu32 ")", number + 1);
	if (!*written) {
		putc(' ', out);
		if (text[strspn(text, " ")] == '\0')
			text = "???";
		for (; *text != '\0'; text++)
			putc((unsigned char)*text < ' ' ? '?' : *text, out);
	}
	*written = true;
	putc('\n', out);
}

static void
put_file(struct callgrind *x, const char *key, uint32_t file)
{
	const uint32_t none = (uint32_t)x->in.model->sources.paths.count;

	fputs(key, x->out);
	if (file == MODEL_NONE)
		put_text(x->out, none, &x->file_named[none], "???");
	else
		put_text(x->out, file, &x->file_named[file],
		    x->in.model->sources.paths.all[file]);
}

static void
put_function(struct callgrind *x, const char *prefix, uint32_t function)
{
	struct model *m = x->in.model;
	const uint32_t module = m->functions[function].module;
	const char *name = model_function_name(m, function);

	fprintf(x->out, "%sob=", prefix);
	put_text(x->out, module, &x->module_named[module],
	    m->modules[module].path);
	put_file(x, *prefix == 'c' ? "cfi=" : "fl=", x->file_of[function]);
	fprintf(x->out, "%sfn=", prefix);
	put_text(x->out, function, &x->named[function],
	    name != NULL ? name : "?");
}

/*
 * Returns the exact number of calls of one function by another, or 0.  It is
 * written only at their first place.
 */
static uint64_t
exact_call_count(const struct callgrind *x, uint32_t from, uint32_t self)
{
	size_t count, first = graph_callees(&x->calls, from, &count);

	for (size_t i = first; i < first + count; i++)
		if (x->calls.callees[i].self == self)
			return x->calls.callees[i].calls;
	return 0;
}

/*
 * Returns the number to write for a call: of several places that call the
 * function, the first has the exact number (again: this is a later one).
 */
static uint64_t
number_of_calls(const struct callgrind *x, const struct cost *c, bool again)
{
	uint64_t calls = again ? 0 : exact_call_count(x, c->function,
	    c->callee);

	return calls == 0 ? 1 : calls;
}

static void
put_values(const struct callgrind *x, const uint64_t *values)
{
	for (unsigned i = 0; i < x->event_count; i++)
		fprintf(x->out, " %" PRIu64, values[i]);
	putc('\n', x->out);
}

static void
put_place(struct callgrind *x, const struct cost *c)
{
	fprintf(x->out, "0x%" PRIx64 " %" PRIu32,
	    x->in.sites.all[c->site].address, c->line);
	put_values(x, c->values);
}

static void
put_cost(struct callgrind *x, size_t i, uint32_t *file)
{
	const struct cost *c = &x->costs[i];
	const bool again = i != 0 && c[-1].function == c->function &&
	    c[-1].callee == c->callee;

	if (c->file != *file)
		put_file(x, c->file == x->file_of[c->function] ? "fe=" :
		    "fi=", c->file);
	*file = c->file;
	if (c->callee != MODEL_NONE) {
		put_function(x, "c", c->callee);
		fprintf(x->out, "calls=%" PRIu64 " 0x0 0\n",
		    number_of_calls(x, c, again));
	}
	put_place(x, c);
}

static void
put_costs(struct callgrind *x)
{
	uint32_t file = MODEL_NONE;

	for (size_t i = 0; i < x->count; i++) {
		const uint32_t function = x->costs[i].function;

		if (i == 0 || x->costs[i - 1].function != function) {
			putc('\n', x->out);
			put_function(x, "", function);
			file = x->file_of[function];
		}
		put_cost(x, i, &file);
	}
}

static int
collect_callgrind_costs(struct callgrind *x)
{
	const struct model *m = x->in.model;
	int ret = 0;

	for (size_t i = 0; i < m->function_count; i++)
		x->file_of[i] = MODEL_NONE;
	for (uint32_t i = 0; i < m->row_count && ret == 0; i++)
		if (sample_paths_get(&x->in, i))
			ret = add_sample(x, i);
	if (ret == 0)
		ret = add_calls(x);
	if (x->count > 1)
		qsort_r(x->costs, x->count, sizeof(*x->costs), compare_costs,
		    x);
	return ret;
}

static int
count_calls(struct callgrind *x)
{
	const struct graph_options all = { .sort = GROUP_SORT_TIME };
	struct calltree tree;
	int ret = calltree_make(&tree, x->in.model, CALLTREE_TOP_DOWN);

	if (ret == 0)
		ret = graph_make(&x->calls, x->in.model, &tree, &all);
	calltree_free(&tree);
	return ret;
}

static int
make_room(struct callgrind *x)
{
	const struct model *m = x->in.model;

	x->file_of = calloc(m->function_count + 1, sizeof(*x->file_of));
	x->named = calloc(m->function_count + 1, sizeof(*x->named));
	x->file_named = calloc(m->sources.paths.count + 1,
	    sizeof(*x->file_named));
	x->module_named = calloc(m->module_count, sizeof(*x->module_named));
	return x->file_of == NULL || x->named == NULL ||
	    x->file_named == NULL || x->module_named == NULL ? -ENOMEM : 0;
}

static const char *
callgrind_event_name(enum metric event)
{
	return event == METRIC_TIME ? "ns" : metric_column(event);
}

static void
put_head(struct callgrind *x)
{
	fputs("# callgrind format\nversion: 1\n"
	    "creator: prof (libmon) " PACKAGE_VERSION "\n"
	    "positions: instr line\n", x->out);
	for (unsigned i = 0; i < x->event_count; i++)
		fprintf(x->out, "event: %s : %s\n",
		    callgrind_event_name(x->events[i]),
		    x->events[i] != METRIC_TIME ?
		    metric_description(x->events[i]) :
		    x->in.model->filter->asleep ? "Nanoseconds of sleep" :
		    "Nanoseconds of CPU time");
	fputs("events:", x->out);
	for (unsigned i = 0; i < x->event_count; i++)
		fprintf(x->out, " %s", callgrind_event_name(x->events[i]));
	fputs("\nsummary:", x->out);
	put_values(x, x->total);
}

int
export_callgrind(struct model *m, FILE *out)
{
	struct callgrind x = { .out = out };
	int ret = sample_paths_open(&x.in, m);

	choose_events(&x);
	if (ret == 0)
		ret = make_room(&x);
	if (ret == 0)
		ret = collect_callgrind_costs(&x);
	if (ret == 0)
		ret = count_calls(&x);
	if (ret == 0) {
		put_head(&x);
		put_costs(&x);
		fputs("\ntotals:", out);
		put_values(&x, x.total);
	}
	sample_paths_close(&x.in);
	free(x.costs);
	hash_index_free(&x.by_key);
	graph_free(&x.calls);
	free(x.file_of);
	free(x.named);
	free(x.file_named);
	free(x.module_named);
	return ret;
}

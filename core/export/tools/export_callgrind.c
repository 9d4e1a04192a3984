/*
 * Context: O.  Writes call stacks for callgrind_annotate and KCachegrind, for
 * export_write(): the time of each instruction and line, and of each call with
 * all that was done in it.  A heap profile has all its metrics side by side,
 * first the one that rows weigh.
 *
 * A function that is on a stack several times gets that time once.  The number
 * of a call is what was counted, or 1 if nothing was counted: samples do not
 * tell the number, and without any callgrind_annotate takes the time of the
 * call for the caller's own.
 */
#include "tools/export_callgrind.h"

#include "derive/sample_paths.h"
#include "stack/graph.h"
#include "tools/callgrind_costs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The export of a model. */
struct callgrind {
	FILE *out;
	struct sample_paths in;
	struct callgrind_costs costs;
	struct graph calls;
	/* By function, file and module: the numbered text was written */
	bool *named;
	bool *file_named;
	bool *module_named;
};

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
	put_file(x, *prefix == 'c' ? "cfi=" : "fl=",
	    x->costs.file_of[function]);
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
number_of_calls(const struct callgrind *x, const struct callgrind_cost *c,
    bool again)
{
	uint64_t calls = again ? 0 : exact_call_count(x, c->function,
	    c->callee);

	return calls == 0 ? 1 : calls;
}

static void
put_values(const struct callgrind *x, const uint64_t *values)
{
	for (unsigned i = 0; i < x->costs.event_count; i++)
		fprintf(x->out, " %" PRIu64, values[i]);
	putc('\n', x->out);
}

static void
put_place(struct callgrind *x, const struct callgrind_cost *c)
{
	fprintf(x->out, "0x%" PRIx64 " %" PRIu32,
	    x->in.sites.all[c->site].address, c->line);
	put_values(x, c->values);
}

/* Writes entry i of the costs; *file is the file of the line before it. */
static void
put_cost(struct callgrind *x, size_t i, uint32_t *file)
{
	const struct callgrind_cost *c = &x->costs.all[i];
	const bool again = i != 0 && c[-1].function == c->function &&
	    c[-1].callee == c->callee;

	if (c->file != *file)
		put_file(x, c->file == x->costs.file_of[c->function] ? "fe=" :
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

	for (size_t i = 0; i < x->costs.count; i++) {
		const uint32_t function = x->costs.all[i].function;

		if (i == 0 || x->costs.all[i - 1].function != function) {
			putc('\n', x->out);
			put_function(x, "", function);
			file = x->costs.file_of[function];
		}
		put_cost(x, i, &file);
	}
}

/* Sets x->calls to the graph of all functions, for the counted calls. */
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

	x->named = calloc(m->function_count + 1, sizeof(*x->named));
	x->file_named = calloc(m->sources.paths.count + 1,
	    sizeof(*x->file_named));
	x->module_named = calloc(m->module_count, sizeof(*x->module_named));
	return x->named == NULL || x->file_named == NULL ||
	    x->module_named == NULL ? -ENOMEM : 0;
}

static const char *
callgrind_event_name(enum metric event)
{
	return event == METRIC_TIME ? "ns" : metric_column(event);
}

static void
put_head(struct callgrind *x)
{
	const enum metric *events = x->costs.events;

	fputs("# callgrind format\nversion: 1\n"
	    "creator: prof (libmon) " PACKAGE_VERSION "\n"
	    "positions: instr line\n", x->out);
	for (unsigned i = 0; i < x->costs.event_count; i++)
		fprintf(x->out, "event: %s : %s\n",
		    callgrind_event_name(events[i]),
		    events[i] != METRIC_TIME ?
		    metric_description(events[i]) :
		    x->in.model->filter->asleep ? "Nanoseconds of sleep" :
		    "Nanoseconds of CPU time");
	fputs("events:", x->out);
	for (unsigned i = 0; i < x->costs.event_count; i++)
		fprintf(x->out, " %s", callgrind_event_name(events[i]));
	fputs("\nsummary:", x->out);
	put_values(x, x->costs.total);
}

int
export_callgrind(struct model *m, FILE *out)
{
	struct callgrind x = { .out = out };
	int ret = sample_paths_open(&x.in, m);

	if (ret == 0)
		ret = make_room(&x);
	if (ret == 0)
		ret = callgrind_costs_collect(&x.costs, &x.in);
	if (ret == 0)
		ret = count_calls(&x);
	if (ret == 0) {
		put_head(&x);
		put_costs(&x);
		fputs("\ntotals:", out);
		put_values(&x, x.costs.total);
	}
	sample_paths_close(&x.in);
	callgrind_costs_free(&x.costs);
	graph_free(&x.calls);
	free(x.named);
	free(x.file_named);
	free(x.module_named);
	return ret;
}

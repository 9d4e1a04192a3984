/*
 * Context: O.  Reads a file of another current profiler into the model, for
 * read_inputs(): the two sinks of import_read(), which takes the file apart.
 *
 * The file is read twice, as files of classic profilers are: the first pass
 * (check_*) learns the programs of its processes, and whether the file can be
 * read at all; the second (add_*) adds rows and calls.  A file that was made by
 * subtracting one profile from another has values below zero: its rows add up
 * with their signs, and negative_time_drop() removes those that stay below
 * zero.
 */
#include "foreign/read_import.h"

#include "foreign/import_processes.h"
#include "foreign/provenance.h"
#include "foreign/skipped_records.h"
#include "load.h"
#include "read_file.h"
#include "base/vector.h"

/*
 * Largest sum of one file, in ns, samples or calls, so that sums over four
 * files do not overflow either.
 */
#define READ_IMPORT_MAX	(UINT64_MAX / 4)

/* State while one file is read; `fault` is the caller's. */
struct read_import {
	const char *path;
	struct import_places *table;
	struct model *model;
	struct fault *fault;
	struct import in;
	struct import_processes processes;
	struct model_import sum;
	uint64_t samples, value, calls;	/* amounts of this pass; value: ns */
	struct import_place *places;	/* places of a stack, innermost first */
	size_t place_count, place_room;
};

/*
 * Returns the time that a value of 1 is taken as, ns.  A unit that is no time
 * is taken as some time, so that shares are right: samples as 1 ms each, others
 * as 1 ns.
 */
static uint64_t
import_unit_ns(const struct import *in)
{
	if (in->each_ns != 0)
		return in->each_ns;
	return in->unit.at != NULL && text_equal_str(in->unit, "samples") ?
	    1000000 : 1;
}

static uint64_t
abs_value(int64_t n)
{
	return n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
}

/*
 * Adds to a sum of the pass.  If the sum would be more than READ_IMPORT_MAX,
 * skips the record and returns false; both passes do so with the same records.
 */
static bool
add_within_limit(struct read_import *x, uint64_t *sum, uint64_t more)
{
	if (more > READ_IMPORT_MAX - *sum) {
		import_skip(&x->in, "the counts are too large");
		return false;
	}
	*sum += more;
	return true;
}

/*
 * Adds a sample to x->value and x->samples, and sets x->sum.each_ns.  Returns
 * false and skips the sample if a sum would be too large.
 */
static bool
sum_import_sample(struct read_import *x, const struct import_sample *s)
{
	const uint64_t value = abs_value(s->value);

	x->sum.each_ns = import_unit_ns(&x->in);
	if (value > READ_IMPORT_MAX / x->sum.each_ns) {
		import_skip(&x->in, "the counts are too large");
		return false;
	}
	return add_within_limit(x, &x->value, value * x->sum.each_ns) &&
	    add_within_limit(x, &x->samples, abs_value(s->count));
}

/*
 * Sink of the first pass: sums a sample, and notes its process in the model.
 * Returns 0, or -ENOMEM with the fault set.
 */
static int
check_import_sample(void *arg, const struct import_sample *s)
{
	struct read_import *x = arg;

	if (!sum_import_sample(x, s))
		return 0;
	x->sum.samples += abs_value(s->count);
	x->sum.value += (uint64_t)s->value;
	x->sum.below |= s->value < 0;
	return import_processes_note(&x->processes, s) != 0 ?
	    fault_set_no_memory(x->fault) : 0;
}

/* Sink of the first pass: sums the calls. */
static int
check_import_call(void *arg, const struct import_call *c)
{
	struct read_import *x = arg;

	if (add_within_limit(x, &x->calls, c->count))
		x->sum.calls += c->count;
	return 0;
}

/*
 * Finds the places of a sample's stack, x->places: one for each called
 * function, together with the functions that are inlined there.  Returns 0 or
 * -ENOMEM.
 */
static int
find_stack_places(struct read_import *x, const struct import_sample *s)
{
	size_t first = 0;

	x->place_count = 0;
	for (size_t i = 0; i < s->depth; i++) {
		if (s->frames[i].inlined && i + 1 < s->depth)
			continue;
		if (vector_grow(&x->places, x->place_count, &x->place_room,
		    sizeof(*x->places)) != 0 || import_places_find(x->table,
		    s->frames + first, i + 1 - first,
		    &x->places[x->place_count++]) != 0)
			return -ENOMEM;
		first = i + 1;
	}
	return 0;
}

/*
 * Returns the process of a row in that module: MODEL_NONE where processes share
 * rows.
 */
static uint32_t
import_row_process(const struct read_import *x, uint32_t module,
    uint32_t process)
{
	return model_is_absolute(module) ||
	    (x->model->keep & MODEL_KEEP_PROCESS) != 0 ? process : MODEL_NONE;
}

/*
 * Adds the frames of the callers in x->places, and sets *frame to the caller of
 * the innermost place; 0: none, or stacks are not kept.  process: the sample's,
 * or MODEL_NONE.  Returns 0 or -ENOMEM.
 */
static int
add_import_callers(struct read_import *x, uint32_t process, uint32_t *frame)
{
	*frame = 0;
	if ((x->model->keep & MODEL_KEEP_STACKS) == 0)
		return 0;
	for (size_t i = x->place_count; i-- > 1;) {
		const struct import_place *p = &x->places[i];
		/*
		 * In the model, callers are looked up one byte before their
		 * return address.
		 */
		const struct stack_frame key = {
			.caller = *frame, .module = p->module,
			.address = p->address + 1, .kind = FORMAT_FRAME,
			.process = import_row_process(x, p->module, process),
		};

		*frame = model_add_frame(x->model, &key);
		if (*frame == 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Sink of the second pass: adds the row of a sample that the filters select.
 * Returns 0, or -ENOMEM with the fault set.
 */
static int
add_import_sample(void *arg, const struct import_sample *s)
{
	struct read_import *x = arg;
	const uint32_t process = import_processes_find(&x->processes, s);
	const struct import_place nowhere = { .module = MODEL_MODULE_NONE };
	const struct import_place *own = &nowhere;
	struct model_row row = {
		.kind = FORMAT_USER, .thread = MODEL_NONE,
		.count = (uint64_t)s->count,
		.ns = (uint64_t)s->value * x->sum.each_ns,
	};

	if (!sum_import_sample(x, s) ||
	    !import_processes_selected(&x->processes, s))
		return 0;
	if (find_stack_places(x, s) != 0 ||
	    add_import_callers(x, process, &row.stack) != 0 ||
	    ((x->model->keep & MODEL_KEEP_THREAD) != 0 &&
	    import_processes_thread(&x->processes, s, &row.thread) != 0))
		return fault_set_no_memory(x->fault);
	if (x->place_count != 0)
		own = x->places;
	row.module = own->module;
	row.address = own->address;
	row.process = import_row_process(x, own->module, process);
	if (own->kernel)
		row.kind = FORMAT_KFUNC;
	/* model_lookup_address() subtracts 1 from the address of a sleep. */
	if (x->in.asleep) {
		row.kind = FORMAT_SLEEP;
		row.address++;
	}
	return model_add_row(x->model, &row) == 0 ? 0 :
	    fault_set_no_memory(x->fault);
}

/* Sink of the second pass: adds an arc.  Returns as add_import_sample(). */
static int
add_import_call(void *arg, const struct import_call *c)
{
	struct read_import *x = arg;
	struct import_place from, self;
	struct model_arc arc = {
		.calls = c->count, .self_process = MODEL_NONE,
		.from_process = MODEL_NONE,
	};

	if (!add_within_limit(x, &x->calls, c->count))
		return 0;
	if (import_places_find(x->table, &c->from, 1, &from) != 0 ||
	    import_places_find(x->table, &c->self, 1, &self) != 0)
		return fault_set_no_memory(x->fault);
	arc.from_module = from.module;
	arc.from = from.address + 1;
	arc.self_module = self.module;
	arc.self = self.address;
	return model_add_arc(x->model, &arc) == 0 ? 0 :
	    fault_set_no_memory(x->fault);
}

/*
 * Sink of the second pass if needs_calls() is false: ignores a call, as calls
 * have no thread, and a file's calls are those of all its processes.
 */
static int
ignore_import_call(void *arg, const struct import_call *c)
{
	(void)arg;
	(void)c;
	return 0;
}

/*
 * Returns whether calls are added: neither are threads kept, nor are threads,
 * programs or pids selected.
 */
static bool
needs_calls(const struct model *m)
{
	return (m->keep & MODEL_KEEP_THREAD) == 0 &&
	    !filter_is_on(m->filter, FILTER_THREAD) &&
	    !filter_is_on(m->filter, FILTER_PROGRAM) &&
	    !filter_is_on(m->filter, FILTER_PID);
}

/*
 * Makes the first pass, and fills x->sum with what the footer shows of the
 * file.  Returns as import_read().
 */
static int
check_import_file(struct read_import *x)
{
	const struct import_sink sink = {
		.arg = x, .sample = check_import_sample, .call =
		    check_import_call,
	};
	int ret;

	x->sum.each_ns = 1;
	ret = import_read(&x->in, &sink, x->fault);
	if (ret != 0)
		return ret;
	x->sum.format = import_format_title(x->in.format);
	x->sum.timed = x->in.each_ns != 0 && x->in.unit.at != NULL;
	x->sum.others = x->in.others;
	x->sum.rounded = x->in.rounded;
	if (x->in.unit.at == NULL)
		return 0;
	x->sum.unit = model_intern(x->model, x->in.unit.at, x->in.unit.bytes);
	return x->sum.unit == NULL ? fault_set_no_memory(x->fault) : 0;
}

/* Notes what was left out of a file that was added. */
static int
note_skipped_import(struct read_import *x)
{
	const struct import_skipped *s = &x->in.skipped;
	const bool is_line = x->in.line != 0;
	const struct model_skipped own = {
		.file = x->path, .unit = is_line ? "line" : "record",
		.count = s->count, .what = s->what, .is_line = is_line,
		.first = is_line || x->in.inflated == NULL ? s->first :
		    FAULT_NO_OFFSET,
	};

	return skipped_records_add(x->model, &own, x->fault);
}

/*
 * Makes the second pass, and counts the file in the model.  Returns as
 * read_import_add().
 */
static int
add_import_file(struct read_import *x)
{
	struct model *m = x->model;
	const struct import_sink sink = {
		.arg = x, .sample = add_import_sample,
		.call = needs_calls(m) ? add_import_call : ignore_import_call,
	};
	int ret;

	x->samples = x->value = x->calls = 0;
	ret = import_read(&x->in, &sink, x->fault);
	if (ret == 0 && provenance_add_import(m, &x->sum) != 0)
		ret = fault_set_no_memory(x->fault);
	m->moduleless |= x->in.moduleless;
	m->differences |= x->sum.below;
	m->files += ret == 0;
	m->files_foreign += ret == 0;
	return ret != 0 || x->in.skipped.count == 0 ? ret :
	    note_skipped_import(x);
}

/* Reads a file whose bytes are in memory.  Returns as read_import_add(). */
static int
read_import_bytes(struct read_import *x, const struct read_import_file *file,
    const unsigned char *bytes, size_t size)
{
	int ret = import_open(&x->in, bytes, size, file->format, x->fault);

	if (ret == IMPORT_OTHER)
		return LOAD_OTHER;
	if (file->choice != NULL)
		x->in.choice = text_of(file->choice);
	if (ret == 0)
		ret = check_import_file(x);
	return ret != 0 ? ret : add_import_file(x);
}

int
read_import_add(struct import_places *t, const struct read_import_file *file,
    struct fault *f)
{
	struct read_import x = {
		.path = file->path, .table = t, .model = t->model, .fault = f,
		.processes = { .model = t->model },
	};
	unsigned char *bytes;
	size_t size;
	int ret = read_file_all(file->path, &bytes, &size, f);

	if (ret == READ_FILE_NONE)
		return LOAD_OTHER;
	if (ret == 0)
		ret = read_import_bytes(&x, file, bytes, size);
	import_close(&x.in);
	import_processes_free(&x.processes);
	free(x.places);
	free(bytes);
	return ret;
}

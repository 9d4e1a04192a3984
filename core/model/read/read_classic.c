/*
 * Context: O.  Reads a file of a classic profiler into the model, for
 * read_inputs(): two sinks of classic_read(), which takes the file apart.
 *
 * The file is read twice.  The first pass (check_*) checks every number against
 * the program, the second (add_*) adds them, so that nothing is shown of a file
 * that does not belong to the program.
 */
#include "read/read_classic.h"

#include "elf/elf_layout.h"
#include "foreign/provenance.h"
#include "foreign/skipped_records.h"
#include "load.h"
#include "read/classic_program.h"
#include "read/classic_reader.h"
#include "read/module_add.h"
#include "read/process_image.h"
#include "read_file.h"
#include "base/vector.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/*
 * Largest sum of the times or calls of one file, so that sums over several
 * files do not overflow either.
 */
#define READ_CLASSIC_MAX	(UINT64_MAX / 4)

/* Most calls of one record: two years of CPU time, at 1 ns each. */
#define READ_CLASSIC_CALLS	(1ull << 56)

/* Returns the time of the ticks of a bin, in ns. */
static uint64_t
classic_bin_ns(const struct classic_bin *bin)
{
	return bin->count * 1000000000u / (bin->rate != 0 ? bin->rate :
	    PROVENANCE_RATE);
}

/*
 * Returns whether some of [low, high) lies in the program's code; true in a
 * file that lists modules.
 */
static bool
is_program_code(const struct read_classic *x, uint64_t low, uint64_t high)
{
	return classic_reader_has_modules(x) ||
	    (low < x->program.high && high > x->program.low);
}

/* Leaves a record out, and keeps the fault of the first one.  Returns 0. */
static int
skip_classic_record(struct read_classic *x, const char *what,
    const char *remedy, uint64_t offset)
{
	if (x->unfit++ == 0) {
		fault_set(&x->first, what, offset, 0);
		x->first.remedy = remedy;
	}
	return 0;
}

/*
 * Adds the calls of a record to *sum.  Returns false if they are too many to be
 * true, or the sum would overflow: the record is left out, in both passes.
 */
static bool
add_plausible_calls(uint64_t *sum, uint64_t calls)
{
	if (calls > READ_CLASSIC_CALLS || calls > READ_CLASSIC_MAX - *sum)
		return false;
	*sum += calls;
	return true;
}

/*
 * Sink of the first pass: sums a bin, or leaves it out.  Returns 0, or -EINVAL
 * with the fault set.
 */
static int
check_classic_bin(void *arg, const struct classic_bin *bin)
{
	struct read_classic *x = arg;

	if (!is_program_code(x, bin->low, bin->high))
		return skip_classic_record(x,
		    "a tick is outside of the program's code",
		    CLASSIC_PROGRAM_REMEDY, bin->offset);
	x->fit++;
	if (x->sum.ticks == 0)
		x->sum.rate = bin->rate;
	x->sum.ticks += bin->count;
	x->ns += classic_bin_ns(bin);
	return x->ns < READ_CLASSIC_MAX ? 0 : fault_set(x->fault,
	    "the time is too large", bin->offset, 0);
}

/*
 * Sink of the first pass: sums calls, or leaves them out.  Returns as
 * check_classic_bin().
 */
static int
check_classic_arc(void *arg, const struct classic_arc *arc)
{
	struct read_classic *x = arg;

	if (!arc->elsewhere && !is_program_code(x, arc->self, arc->self + 1))
		return skip_classic_record(x,
		    "a callee is outside of the program's code",
		    CLASSIC_PROGRAM_REMEDY, arc->offset);
	if (!add_plausible_calls(&x->sum.calls, arc->count))
		return skip_classic_record(x, "a call count is too large",
		    NULL, arc->offset);
	/* Calls of other objects say nothing of the program. */
	x->fit += !arc->elsewhere;
	return 0;
}

static int
accept_classic_module(void *arg, const struct classic_module *module)
{
	(void)arg;
	(void)module;
	return 0;
}

/*
 * Finds or adds the module with that path.  Returns 0, or -ENOMEM with the
 * fault set.
 */
static int
find_classic_module(struct read_classic *x, const char *path,
    const struct elf_layout *p, uint32_t *module)
{
	const char *text = model_intern(x->model, path, strlen(path));

	return text == NULL || module_add(x->model, text, p, 0, module) != 0 ?
	    fault_set_no_memory(x->fault) : 0;
}

/*
 * Returns the mapping that contains the address, the last one of several; or
 * NULL.
 */
static struct classic_mapping *
find_mapped_range(const struct read_classic *x, uint64_t address)
{
	for (size_t i = x->run_count; i-- > 0;)
		if (address >= x->runs[i].start && address < x->runs[i].end)
			return &x->runs[i];
	return NULL;
}

/*
 * Converts an address of the file to one of the model, and returns its module.
 */
static uint32_t
to_model_address(const struct read_classic *x, uint64_t *address)
{
	const struct classic_mapping *run;

	if (!classic_reader_has_modules(x))
		return x->module;
	run = find_mapped_range(x, *address);
	if (run == NULL)
		return MODEL_MODULE_NONE;
	*address -= run->bias;
	return run->module;
}

/*
 * Sink of the second pass: adds a module that the file lists; the first is the
 * program.  Returns 0, or -ENOMEM with the fault set.
 */
static int
add_classic_module(void *arg, const struct classic_module *module)
{
	struct read_classic *x = arg;
	struct elf_layout p;
	struct classic_mapping run = { .start = module->start, .end =
	    module->end };
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%.*s", (int)(module->path_bytes <
	    sizeof(path) ? module->path_bytes : 0), module->path);
	/* The user says where the program is now. */
	if (x->known && strcmp(process_image_basename(path),
	    process_image_basename(x->path)) == 0)
		snprintf(path, sizeof(path), "%s", x->path);
	run.bias = module->start;
	if (elf_layout_read(&p, path) == 0)
		run.bias -= p.base;
	ret = find_classic_module(x, path, &p, &run.module);
	if (ret != 0)
		return ret;
	if (x->run_count == 0)
		x->model->modules[run.module].flags |= FORMAT_M_MAIN;
	if (vector_grow(&x->runs, x->run_count, &x->run_room, sizeof(run)) != 0)
		return fault_set_no_memory(x->fault);
	x->runs[x->run_count++] = run;
	return 0;
}

/*
 * Sink of the second pass: adds the ticks of a bin to x->bins, or to the rows.
 * Returns 0, or -ENOMEM with the fault set.
 */
static int
add_classic_bin(void *arg, const struct classic_bin *bin)
{
	struct read_classic *x = arg;
	struct bin_split_range own = {
		.low = bin->low,
		.count = bin->count,
		.ns = classic_bin_ns(bin),
	};

	if (!is_program_code(x, bin->low, bin->high))
		return 0;
	own.module = to_model_address(x, &own.low);
	own.high = own.low + (bin->high - bin->low);
	return bin_split_add(&x->bins, x->model, &own) == 0 ? 0 :
	    fault_set_no_memory(x->fault);
}

static bool
is_outside_caller(const struct read_classic *x, const struct classic_arc *arc)
{
	return arc->outside || !is_program_code(x, arc->from, arc->from + 1);
}

/*
 * Sink of the second pass: adds counted calls, as an arc or, without a caller,
 * as a row.  Returns 0, or -ENOMEM with the fault set.
 */
static int
add_classic_arc(void *arg, const struct classic_arc *arc)
{
	struct read_classic *x = arg;
	struct model_arc own = {
		.self = arc->self,
		.from = arc->from,
		.self_process = MODEL_NONE,
		.from_process = MODEL_NONE,
		.calls = arc->count,
	};
	struct model_row row = {
		.kind = MODEL_CALLS, .process = MODEL_NONE,
		.thread = MODEL_NONE, .calls = arc->count,
	};

	if ((!arc->elsewhere && !is_program_code(x, arc->self,
	    arc->self + 1)) || !add_plausible_calls(&x->added, arc->count))
		return 0;
	own.self_module = arc->elsewhere ? MODEL_MODULE_UNLISTED :
	    to_model_address(x, &own.self);
	own.from_module = to_model_address(x, &own.from);
	if (is_outside_caller(x, arc)) {
		own.from_module = MODEL_MODULE_UNLISTED;
		own.from = 0;
	}
	/*
	 * In the model a caller is a return address, which is looked up one
	 * byte before it.
	 */
	own.from++;
	row.module = own.self_module;
	row.address = own.self;
	if ((arc->caller ? model_add_arc(x->model, &own) :
	    model_add_row(x->model, &row)) != 0)
		return fault_set_no_memory(x->fault);
	return 0;
}

static int
ignore_classic_arc(void *arg, const struct classic_arc *arc)
{
	(void)arg;
	(void)arc;
	return 0;
}

/* Makes the first pass.  Returns 0, or another value with the fault set. */
static int
check_classic_file(struct read_classic *x)
{
	const struct classic_sink sink = {
		.arg = x, .bin = check_classic_bin, .arc = check_classic_arc,
		.module = accept_classic_module,
	};
	int ret;

	x->sum.kind = x->classic.kind;
	x->sum.wide = x->classic.wide;
	x->sum.big = x->classic.bytes.big;
	ret = classic_read(&x->classic, &sink, x->fault);
	/* If most records do not fit, the file is of another program. */
	if (ret == 0 && x->unfit > x->fit) {
		*x->fault = x->first;
		ret = -EINVAL;
	}
	return ret;
}

/*
 * Notes the records that were left out of a file that was added.  Returns 0, or
 * as skipped_records_add().
 */
static int
note_skipped_records(struct read_classic *x)
{
	const struct fault *cut = &x->classic.damage;
	struct model_skipped own = {
		.file = x->file->path, .unit = "record", .count = x->unfit,
		.what = x->first.what, .first = x->first.offset,
	};

	/* The number of records behind the truncation is not known. */
	if (cut->what != NULL && own.count++ == 0) {
		own.what = cut->what;
		own.first = cut->offset;
	}
	return own.count == 0 ? 0 : skipped_records_add(x->model, &own,
	    x->fault);
}

/*
 * Makes the second pass, and counts the file.  Returns as read_classic_add().
 */
static int
add_classic_file(struct read_classic *x)
{
	struct model *m = x->model;
	const struct classic_sink sink = {
		.arg = x, .bin = add_classic_bin, .module = add_classic_module,
		/* Calls have no thread. */
		.arc = (m->keep & MODEL_KEEP_THREAD) != 0 ? ignore_classic_arc :
		    add_classic_arc,
	};
	int ret;

	if (!classic_reader_has_modules(x)) {
		ret = find_classic_module(x, x->path, &x->program, &x->module);
		if (ret != 0)
			return ret;
		m->modules[x->module].flags |= FORMAT_M_MAIN;
	}
	ret = classic_read(&x->classic, &sink, x->fault);
	if (ret == 0 && (bin_split_to_rows(&x->bins, m) != 0 ||
	    provenance_add(m, &x->sum) != 0))
		ret = fault_set_no_memory(x->fault);
	m->files += ret == 0;
	m->files_foreign += ret == 0;
	return ret == 0 ? note_skipped_records(x) : ret;
}

int
read_classic_add(struct model *m, const struct read_classic_file *file,
    struct fault *f)
{
	struct read_classic x = { .model = m, .file = file, .fault = f };
	int ret = read_file_all(file->path, &x.bytes, &x.size, f);

	if (ret == READ_FILE_NONE)
		ret = LOAD_OTHER;
	if (ret == 0)
		ret = classic_program_open(&x);
	if (ret == 0)
		ret = classic_open(&x.classic, x.bytes, x.size,
		    &(struct classic_program) { x.program.wide,
		    x.program.big, x.program.low, x.program.high }, f);
	if (ret == CLASSIC_OTHER)
		ret = LOAD_OTHER;
	if (ret == 0)
		ret = classic_program_check(&x);
	if (ret == 0 && !classic_program_is_selected(&x))
		m->files_other++;
	else if (ret == 0)
		ret = check_classic_file(&x) != 0 ? -EINVAL :
		    add_classic_file(&x);
	bin_split_free(&x.bins);
	free(x.runs);
	free(x.path);
	free(x.bytes);
	return ret;
}

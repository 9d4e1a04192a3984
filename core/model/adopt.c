/*
 * Context: O.  A file of a classic profiler into the model.
 *
 * It is read twice: first every number is checked against the program, then it
 * is added, so that nothing of a file is shown that does not fit.
 */
#include "adopt.h"

#include "bin.h"
#include "enter.h"
#include "grow.h"
#include "image.h"
#include "left.h"
#include "load.h"
#include "origin.h"
#include "program.h"
#include "readall.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Sums of one file stay so far from an overflow. */
#define ADOPT_MOST	(UINT64_MAX / 4)

/* Where a module was in the run that a versioned mon.out is of. */
struct adopt_run {
	uint64_t start, end, bias;
	uint32_t module;
};

struct adopt {
	struct model *model;
	const struct adopt_file *file;
	struct fault *fault;
	unsigned char *bytes;
	size_t size;
	struct classic classic;
	struct program program;
	bool known;		/* the program was read */
	char *path;		/* of the program, absolute */
	uint32_t module;	/* of the program in the model */
	struct adopt_run *runs;
	size_t run_count, run_room;
	struct bin_list bins;
	struct model_origin sum;
	uint64_t ns;
	uint64_t fit, outside;	/* records of its code; other records, which
				   are left out */
	struct fault first;	/* the first one's fault */
};

static int
adopt_memory(struct adopt *x)
{
	return fault_set(x->fault, "out of memory", FAULT_NO_OFFSET, ENOMEM);
}

static uint64_t
adopt_ns(const struct classic_bin *bin)
{
	return bin->count * 1000000000u / (bin->rate != 0 ? bin->rate :
	    ORIGIN_RATE);
}

/* Has the file a list of modules?  Then it says itself what it is of. */
static bool
adopt_is_listed(const struct adopt *x)
{
	return x->classic.kind == CLASSIC_PROF;
}

static bool
adopt_is_code(const struct adopt *x, uint64_t low, uint64_t high)
{
	return adopt_is_listed(x) ||
	    (low < x->program.high && high > x->program.low);
}

static int
adopt_outside(const struct adopt *x, const char *what, uint64_t offset)
{
	int ret = fault_set(x->fault, what, offset, 0);

	x->fault->remedy = "name the program that wrote it";
	return ret;
}

/* Leave a record out. */
static int
adopt_leave(struct adopt *x, const char *what, uint64_t offset)
{
	if (x->outside++ == 0)
		fault_set(&x->first, what, offset, 0);
	return 0;
}

static int
check_bin(void *arg, const struct classic_bin *bin)
{
	struct adopt *x = arg;

	if (!adopt_is_code(x, bin->low, bin->high))
		return adopt_leave(x, "a tick is outside of the program's "
		    "code", bin->offset);
	x->fit++;
	if (x->sum.ticks == 0)
		x->sum.rate = bin->rate;
	x->sum.ticks += bin->count;
	x->ns += adopt_ns(bin);
	return x->ns < ADOPT_MOST ? 0 : fault_set(x->fault,
	    "more time was counted than there is", bin->offset, 0);
}

static int
check_arc(void *arg, const struct classic_arc *arc)
{
	struct adopt *x = arg;

	if (!adopt_is_code(x, arc->self, arc->self + 1))
		return adopt_leave(x, "what was called is outside of the "
		    "program's code", arc->offset);
	x->fit++;
	if (arc->count > ADOPT_MOST - x->sum.calls)
		return fault_set(x->fault, "more was called than can be",
		    arc->offset, 0);
	x->sum.calls += arc->count;
	return 0;
}

static int
check_module(void *arg, const struct classic_module *module)
{
	(void)arg;
	(void)module;
	return 0;
}

/* That module of the model, made or found; -ENOMEM. */
static int
adopt_module(struct adopt *x, const char *path, const struct program *p,
    uint32_t *module)
{
	const char *text = model_text(x->model, path, strlen(path));

	return text == NULL || enter_module(x->model, text, p, 0, module) != 0 ?
	    adopt_memory(x) : 0;
}

static struct adopt_run *
adopt_run_at(const struct adopt *x, uint64_t address)
{
	for (size_t i = x->run_count; i-- > 0;)
		if (address >= x->runs[i].start && address < x->runs[i].end)
			return &x->runs[i];
	return NULL;
}

/* From an address of the file to one of the model. */
static uint32_t
adopt_place(const struct adopt *x, uint64_t *address)
{
	const struct adopt_run *run;

	if (!adopt_is_listed(x))
		return x->module;
	run = adopt_run_at(x, *address);
	if (run == NULL)
		return MODEL_MODULE_NONE;
	*address -= run->bias;
	return run->module;
}

static int
add_module(void *arg, const struct classic_module *module)
{
	struct adopt *x = arg;
	struct program p;
	struct adopt_run run = { .start = module->start, .end = module->end };
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%.*s", (int)(module->path_bytes <
	    sizeof(path) ? module->path_bytes : 0), module->path);
	/* Where a program is now is what the user says. */
	if (x->known && strcmp(image_program(path),
	    image_program(x->path)) == 0)
		snprintf(path, sizeof(path), "%s", x->path);
	run.bias = module->start;
	if (program_read(&p, path) == 0)
		run.bias -= p.base;
	ret = adopt_module(x, path, &p, &run.module);
	if (ret != 0)
		return ret;
	if (x->run_count == 0)
		x->model->modules[run.module].flags |= FORMAT_M_MAIN;
	if (grow(&x->runs, x->run_count, &x->run_room, sizeof(run)) != 0)
		return adopt_memory(x);
	x->runs[x->run_count++] = run;
	return 0;
}

static int
add_bin(void *arg, const struct classic_bin *bin)
{
	struct adopt *x = arg;
	struct bin own = {
		.low = bin->low,
		.count = bin->count,
		.ns = adopt_ns(bin),
	};

	if (!adopt_is_code(x, bin->low, bin->high))
		return 0;
	own.module = adopt_place(x, &own.low);
	own.high = own.low + (bin->high - bin->low);
	return bin_add(&x->bins, x->model, &own) == 0 ? 0 : adopt_memory(x);
}

static bool
adopt_is_outside(const struct adopt *x, const struct classic_arc *arc)
{
	return arc->outside || !adopt_is_code(x, arc->from, arc->from + 1);
}

static int
add_arc(void *arg, const struct classic_arc *arc)
{
	struct adopt *x = arg;
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

	if (!adopt_is_code(x, arc->self, arc->self + 1))
		return 0;
	own.self_module = adopt_place(x, &own.self);
	own.from_module = adopt_place(x, &own.from);
	if (adopt_is_outside(x, arc)) {
		own.from_module = MODEL_MODULE_UNLISTED;
		own.from = 0;
	}
	/* There a caller is a return address, and is looked up before it. */
	own.from++;
	row.module = own.self_module;
	row.address = own.self;
	if ((arc->caller ? model_add_arc(x->model, &own) :
	    model_add_row(x->model, &row)) != 0)
		return adopt_memory(x);
	return 0;
}

static int
ignore_arc(void *arg, const struct classic_arc *arc)
{
	(void)arg;
	(void)arc;
	return 0;
}

/* What it is of, and that it can be. */
static int
adopt_know(struct adopt *x)
{
	const char *name = x->file->program != NULL ? x->file->program :
	    ADOPT_PROGRAM;
	int ret = program_read(&x->program, name);

	x->known = ret == 0;
	if (x->known) {
		x->path = realpath(name, NULL);
		return x->path != NULL ? 0 : adopt_memory(x);
	}
	memset(&x->program, 0, sizeof(x->program));
	/* Until it is recognised: as this machine has it. */
	x->program.wide = true;
	return 0;
}

static int
adopt_fits(struct adopt *x)
{
	int ret = 0;

	if (!x->known && !adopt_is_listed(x)) {
		ret = fault_set(x->fault, x->file->program != NULL ?
		    "is a profile of a program that cannot be read" :
		    "is a profile of a program that is not named, and a.out "
		    "is none here", FAULT_NO_OFFSET, 0);
		x->fault->remedy = "name it: prof PROGRAM FILE";
	} else if (x->known && !adopt_is_listed(x) &&
	    (x->classic.wide != x->program.wide ||
	    x->classic.bytes.big != x->program.big)) {
		ret = adopt_outside(x, "has another word size or byte order "
		    "than the program", 0);
	}
	return ret;
}

static bool
adopt_is_wanted(const struct adopt *x)
{
	struct model *m = x->model;

	if (filter_is_on(m->filter, FILTER_PID) ||
	    filter_is_on(m->filter, FILTER_THREAD))
		return false;
	if (adopt_is_listed(x) ? filter_is_on(m->filter, FILTER_PROGRAM) :
	    !filter_text(m->filter, FILTER_PROGRAM, image_program(x->path)))
		return false;
	m->met[FILTER_PROGRAM] = true;
	return true;
}

static int
adopt_check(struct adopt *x)
{
	const struct classic_sink sink = {
		.arg = x, .bin = check_bin, .arc = check_arc,
		.module = check_module,
	};
	int ret;

	x->sum.kind = x->classic.kind;
	x->sum.wide = x->classic.wide;
	x->sum.big = x->classic.bytes.big;
	ret = classic_read(&x->classic, &sink, x->fault);
	/* Otherwise the file is of another program. */
	return ret == 0 && x->outside > x->fit ? adopt_outside(x, x->first.what,
	    x->first.offset) : ret;
}

/* Notes what was left out of a file that was added. */
static int
adopt_left(struct adopt *x)
{
	const struct fault *cut = &x->classic.damage;
	struct model_left own = {
		.file = x->file->path, .unit = "record", .count = x->outside,
		.what = x->first.what, .first = x->first.offset,
	};

	/* The number of records after the cut is not known. */
	if (cut->what != NULL && own.count++ == 0) {
		own.what = cut->what;
		own.first = cut->offset;
	}
	return own.count == 0 ? 0 : left_add(x->model, &own, x->fault);
}

static int
adopt_rows(struct adopt *x)
{
	struct model *m = x->model;
	const struct classic_sink sink = {
		.arg = x, .bin = add_bin, .module = add_module,
		/* Calls have no thread. */
		.arc = (m->keep & MODEL_KEEP_THREAD) != 0 ? ignore_arc :
		    add_arc,
	};
	int ret;

	if (!adopt_is_listed(x)) {
		ret = adopt_module(x, x->path, &x->program, &x->module);
		if (ret != 0)
			return ret;
		m->modules[x->module].flags |= FORMAT_M_MAIN;
	}
	ret = classic_read(&x->classic, &sink, x->fault);
	if (ret == 0 && (bin_settle(&x->bins, m) != 0 ||
	    origin_add(m, &x->sum) != 0))
		ret = adopt_memory(x);
	m->files += ret == 0;
	m->files_foreign += ret == 0;
	return ret == 0 ? adopt_left(x) : ret;
}

int
adopt_add(struct model *m, const struct adopt_file *file, struct fault *f)
{
	struct adopt x = { .model = m, .file = file, .fault = f };
	int ret = readall(file->path, &x.bytes, &x.size, f);

	if (ret == READALL_NONE)
		ret = LOAD_OTHER;
	if (ret == 0)
		ret = adopt_know(&x);
	if (ret == 0)
		ret = classic_open(&x.classic, x.bytes, x.size,
		    &(struct classic_program) { x.program.wide,
		    x.program.big, x.program.low, x.program.high }, f);
	if (ret == CLASSIC_OTHER)
		ret = LOAD_OTHER;
	if (ret == 0)
		ret = adopt_fits(&x);
	if (ret == 0 && !adopt_is_wanted(&x))
		m->files_other++;
	else if (ret == 0)
		ret = adopt_check(&x) != 0 ? -EINVAL : adopt_rows(&x);
	bin_free(&x.bins);
	free(x.runs);
	free(x.path);
	free(x.bytes);
	return ret;
}

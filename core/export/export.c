/*
 * Context: O.  Writes the model in another profiler's format, for prof --write:
 * chooses the files, then calls the exporter of the format; see export.h.
 */
#include "export.h"

#include "export_modules.h"
#include "tools/export_callgrind.h"
#include "tools/export_firefox.h"
#include "tools/export_folded.h"
#include "classic/export_gmon.h"
#include "classic/export_gperftools.h"
#include "html/export_html.h"
#include "tools/export_massif.h"
#include "classic/export_monout.h"
#include "tools/export_perf.h"
#include "tools/export_pprof.h"
#include "classic/export_profout.h"
#include "tools/export_speedscope.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
	const char *name;
	/* Ending of each object's file; NULL: one file for all */
	const char *suffix;
	unsigned keep;
	/*
	 * Writes a format of call stacks, with all modules that the user
	 * picked.  Returns 0 or -errno.  NULL: the format is of objects.
	 */
	int (*write)(struct model *m, FILE *out);
	bool heap;		/* it can hold allocations, too */
} export_formats[EXPORT_FORMATS] = {
	[EXPORT_GMON] = { "gmon", ".gmon", MODEL_KEEP_ARCS, NULL, false },
	[EXPORT_MONOUT] = { "monout", ".mon", MODEL_KEEP_ARCS, NULL, false },
	[EXPORT_PROFOUT] = { "prof", NULL, MODEL_KEEP_ARCS, NULL, false },
	[EXPORT_FOLDED] = { "folded", NULL, MODEL_KEEP_STACKS, export_folded,
	    true },
	[EXPORT_PPROF] = { "pprof", NULL, MODEL_KEEP_STACKS |
	    MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD, export_pprof, true },
	[EXPORT_SPEEDSCOPE] = { "speedscope", NULL, MODEL_KEEP_STACKS |
	    MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD | MODEL_KEEP_MOMENTS,
	    export_speedscope, true },
	[EXPORT_FIREFOX] = { "firefox", NULL, MODEL_KEEP_STACKS |
	    MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD | MODEL_KEEP_MOMENTS,
	    export_firefox, true },
	[EXPORT_CALLGRIND] = { "callgrind", NULL, MODEL_KEEP_STACKS |
	    MODEL_KEEP_ARCS, export_callgrind, true },
	[EXPORT_PERF] = { "perf", NULL, MODEL_KEEP_STACKS |
	    MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD | MODEL_KEEP_MOMENTS,
	    export_perf, false },
	[EXPORT_GPERFTOOLS] = { "gperftools", NULL, MODEL_KEEP_STACKS,
	    export_gperftools, false },
	[EXPORT_MASSIF] = { "massif", NULL, MODEL_KEEP_STACKS, export_massif,
	    true },
	[EXPORT_HTML] = { "html", NULL, MODEL_KEEP_STACKS |
	    MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD | MODEL_KEEP_MOMENTS,
	    export_html, true },
};

struct export {
	struct model *model;
	struct model *old;	/* model to compare with, or NULL */
	const double *work;	/* units that both did, or NULL */
	struct model *heap;	/* allocations for the same page, or NULL */
	enum export_format format;
	struct fault *fault;
	struct export_modules modules;
};

const char *
export_name(unsigned format)
{
	return format < EXPORT_FORMATS ? export_formats[format].name : NULL;
}

unsigned
export_keep(enum export_format format)
{
	return export_formats[format].keep;
}

bool
export_has_stacks(enum export_format format)
{
	return export_formats[format].write != NULL;
}

bool
export_has_heap(enum export_format format)
{
	return export_formats[format].heap;
}

bool
export_is_text(enum export_format format)
{
	switch (format) {
	case EXPORT_FOLDED:
	case EXPORT_SPEEDSCOPE:
	case EXPORT_FIREFOX:
	case EXPORT_CALLGRIND:
	case EXPORT_PERF:
	case EXPORT_MASSIF:
		return true;
	default:
		return false;
	}
}

bool
export_compares(enum export_format format)
{
	return format == EXPORT_HTML;
}

static int
export_refuse(struct export *x, const char *what, const char *remedy)
{
	int ret = fault_set(x->fault, what, FAULT_NO_OFFSET, 0);

	x->fault->remedy = remedy;
	return ret;
}

/*
 * Widest range of addresses of an object.  No true object is larger; the range
 * of a malformed file would be written out in full.
 */
#define EXPORT_SPAN	((uint64_t)1 << 32)

/*
 * Makes the profile of a module, and refuses one with a span that no object
 * has.  Returns 0 or -errno with the fault set; object_profile_free() must be
 * called in either case.
 */
static int
export_extract(struct export *x, struct object_profile *e, uint32_t module)
{
	if (object_profile_make(e, x->model, module) != 0)
		return fault_set_no_memory(x->fault);
	return e->high - e->low <= EXPORT_SPAN && e->low <= UINT64_MAX / 2 ?
	    0 : export_refuse(x, "cannot be written: a module has addresses "
	    "more than 4 GiB apart", "choose other modules with --module");
}

/* Writes the file of one object, as gmon.out or mon.out. */
static int
export_one(struct export *x, uint32_t module, FILE *out)
{
	struct object_profile e;
	int ret = export_extract(x, &e, module);

	if (ret == 0 && x->format == EXPORT_MONOUT)
		ret = export_monout(out, x->model, &e, x->fault);
	if (ret == 0 && x->format == EXPORT_GMON) {
		object_profile_close(&e);
		ret = export_gmon(out, &e, x->fault);
	}
	object_profile_free(&e);
	return ret;
}

/* Writes the file of all chosen objects, as a mon.out of Solaris. */
static int
export_all(struct export *x, FILE *out)
{
	const size_t count = x->modules.count;
	struct object_profile *parts = calloc(count + 1, sizeof(*parts));
	int ret = 0;

	if (parts == NULL)
		return fault_set_no_memory(x->fault);
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = export_extract(x, &parts[i], x->modules.all[i]);
	if (ret == 0)
		ret = export_profout(out, x->model, parts, count, x->fault);
	for (size_t i = 0; i < count; i++)
		object_profile_free(&parts[i]);
	free(parts);
	return ret;
}

/* Calls the exporter of a format of stacks, and makes a fault of its result. */
static int
export_stacks(struct export *x, FILE *out)
{
	int ret = x->old != NULL ?
	    export_html_diff(x->old, x->model, x->work, out) :
	    x->heap != NULL ? export_html_both(x->model, x->heap, out) :
	    export_formats[x->format].write(x->model, out);

	if (ret == -E2BIG)
		return export_refuse(x, "more than one process counted "
		    "allocations, and a file of this format holds one",
		    "name the profile of one process");
	return ret == -ENOTSUP ? export_refuse(x, "this format cannot be "
	    "written: prof was built without its library", "see the summary "
	    "of configure") : ret != 0 ? fault_set_no_memory(x->fault) : 0;
}

/*
 * Returns whether something matches the user's filters.  If not, the caller
 * reports that, and the old file is not replaced by an empty one.
 */
static bool
export_meets(const struct export *x)
{
	bool met[FILTER_KINDS];

	for (unsigned i = 0; i < FILTER_KINDS; i++)
		met[i] = x->model->met[i] ||
		    (x->old != NULL && x->old->met[i]);
	/* If nothing is ignored, everything is there */
	met[FILTER_IGNORE] = true;
	return !export_has_stacks(x->format) ||
	    filter_first_unmatched(x->model->filter, met) == FILTER_KINDS;
}

/* Writes one file: of the module, or with a format of all modules, of all. */
static int
export_file(struct export *x, const char *path, uint32_t module)
{
	struct output o;
	int ret = output_open(&o, path, x->fault);

	if (ret != 0)
		return ret;
	if (export_has_stacks(x->format))
		ret = export_stacks(x, o.out);
	else
		ret = x->format == EXPORT_PROFOUT ? export_all(x, o.out) :
		    export_one(x, module, o.out);
	if (ret == 0 && !export_meets(x)) {
		output_abandon(&o);
		return 0;
	}
	if (ret == 0)
		return output_close(&o, x->fault);
	x->fault->file = path;
	output_abandon(&o);
	return ret;
}

/* Writes a file for each chosen module into a directory. */
static int
export_directory(struct export *x, const char *directory)
{
	int ret = 0;

	if (x->modules.count == 0)
		return export_refuse(x, "nothing was counted in a module of "
		    "that name",
		    "prof --by=module lists the modules with time");
	for (size_t i = 0; i < x->modules.count && ret == 0; i++) {
		const char *path = export_modules_path(&x->modules, x->model,
		    directory, i, export_formats[x->format].suffix);

		ret = path == NULL ? fault_set_no_memory(x->fault) :
		    export_file(x, path, x->modules.all[i]);
	}
	return ret;
}

/* Returns 1 if the path is a directory, 0 if not, or -errno. */
static int
export_is_directory(struct export *x, const char *path)
{
	size_t bytes = strlen(path);
	struct stat st;

	if (stat(path, &st) == 0)
		return S_ISDIR(st.st_mode);
	if (bytes == 0 || path[bytes - 1] != '/')
		return 0;
	if (mkdir(path, 0777) == 0)
		return 1;
	x->fault->file = path;
	return fault_set(x->fault, "cannot be created", FAULT_NO_OFFSET, errno);
}

/* Writes to a file, or to a directory, which takes a file for each object. */
static int
export_to(struct export *x, const char *path, bool directory)
{
	const bool every = export_formats[x->format].suffix == NULL;

	/* A format of stacks holds all that was picked, not single objects. */
	if (export_has_stacks(x->format))
		return export_file(x, path, MODEL_MODULE_NONE);
	if (export_modules_choose(&x->modules, x->model, !directory && !every,
	    x->format == EXPORT_PROFOUT) != 0)
		return fault_set_no_memory(x->fault);
	if (directory)
		return export_directory(x, path);
	if (x->modules.count == 0)
		return export_refuse(x, filter_is_on(x->model->filter,
		    FILTER_MODULE) ? "no module of that name is in the "
		    "profiles" :
		    "no program in the profiles",
		    "prof --by=module lists the modules");
	if (x->modules.count != 1 && !every)
		return export_refuse(x, "holds one program, and the profiles "
		    "have several", "choose one with --module, or name a "
		    "directory");
	return export_file(x, path, x->modules.all[0]);
}

static int
export_write_any(struct export *x, const char *path)
{
	struct fault *f = x->fault;
	int ret = export_is_directory(x, path);

	if (ret > 0 && export_formats[x->format].suffix == NULL)
		ret = export_refuse(x, "is a directory, and one file holds "
		    "all modules", "name a file");
	if (ret >= 0)
		ret = export_to(x, path, ret > 0);
	export_modules_free(&x->modules);
	if (ret != 0 && f->file == NULL)
		f->file = path;
	return ret;
}

int
export_write(struct model *m, struct model *old, const double *work,
    enum export_format format, const char *path, struct fault *f)
{
	struct export x = {
		.model = m, .old = old, .work = work, .format = format,
		.fault = f,
	};

	return export_write_any(&x, path);
}

int
export_write_page(struct model *m, struct model *heap, const char *path,
    struct fault *f)
{
	struct export x = {
		.model = m, .heap = heap, .format = EXPORT_HTML, .fault = f,
	};

	return export_write_any(&x, path);
}

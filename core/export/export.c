/*
 * Context: O.  Writes the model in another profiler's format: which modules,
 * which files, then the exporter of the format.
 */
#include "export.h"

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
	enum export_format format;
	struct fault *fault;
	uint32_t *modules;	/* modules to be written, the main one first */
	size_t count;
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
export_compares(enum export_format format)
{
	return format == EXPORT_HTML;
}

static int
export_memory(struct export *x)
{
	return fault_set(x->fault, "out of memory", FAULT_NO_OFFSET, ENOMEM);
}

static int
export_refuse(struct export *x, const char *what, const char *remedy)
{
	int ret = fault_set(x->fault, what, FAULT_NO_OFFSET, 0);

	x->fault->remedy = remedy;
	return ret;
}

/*
 * Returns whether a module is an object with addresses of its own that the
 * user's filter accepts.
 */
static bool
export_is_wanted(const struct export *x, uint32_t module)
{
	const struct model_module *own = &x->model->modules[module];
	const struct filter *f = x->model->filter;

	return (own->flags & (FORMAT_M_KERNEL | FORMAT_M_VDSO |
	    FORMAT_M_NO_ELF)) == 0 &&
	    (filter_match_text(f, FILTER_MODULE, own->name) ||
	    filter_match_text(f, FILTER_MODULE, own->path));
}

static bool
export_is_main(const struct export *x, uint32_t module)
{
	return (x->model->modules[module].flags & FORMAT_M_MAIN) != 0;
}

/*
 * Returns an array that says which modules have counts; callers: modules that
 * only called count as well.  NULL: no memory.
 */
static bool *
export_used(const struct model *m, bool callers)
{
	bool *used = calloc(m->module_count + 1, sizeof(*used));

	for (size_t i = 0; i < m->row_count && used != NULL; i++)
		if ((callers && model_is_caller(m->rows[i].kind)) ||
		    (model_is_cpu(m->rows[i].kind) &&
		    (m->rows[i].ns != 0 || m->rows[i].calls != 0)))
			used[m->rows[i].module] = true;
	return used;
}

/*
 * Chooses the modules to write.  One file is of the main program unless the
 * user asked for another object.
 */
static int
export_choose(struct export *x, bool one)
{
	const struct model *m = x->model;
	bool *used = export_used(m, x->format == EXPORT_PROFOUT);
	bool any = filter_is_on(m->filter, FILTER_MODULE);

	x->modules = calloc(m->module_count + 1, sizeof(*x->modules));
	if (used == NULL || x->modules == NULL) {
		free(used);
		return export_memory(x);
	}
	for (unsigned turn = 0; turn < 2; turn++)
		for (uint32_t i = MODEL_MODULES; i < m->module_count; i++)
			if (export_is_main(x, i) == (turn == 0) &&
			    export_is_wanted(x, i) &&
			    (one ? any || turn == 0 : used[i]))
				x->modules[x->count++] = i;
	free(used);
	x->model->met[FILTER_MODULE] |= x->count != 0;
	return 0;
}

/*
 * Widest range of addresses of an object.  No true object is larger; the range
 * of a malformed file would be written out in full.
 */
#define EXPORT_SPAN	((uint64_t)1 << 32)

static int
export_extract(struct export *x, struct object_profile *e, uint32_t module)
{
	if (object_profile_make(e, x->model, module) != 0)
		return export_memory(x);
	return e->high - e->low <= EXPORT_SPAN && e->low <= UINT64_MAX / 2 ?
	    0 : export_refuse(x, "cannot be written: a module has addresses "
	    "more than 4 GiB apart", "choose others with --module");
}

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

static int
export_all(struct export *x, FILE *out)
{
	struct object_profile *parts = calloc(x->count + 1, sizeof(*parts));
	int ret = 0;

	if (parts == NULL)
		return export_memory(x);
	for (size_t i = 0; i < x->count && ret == 0; i++)
		ret = export_extract(x, &parts[i], x->modules[i]);
	if (ret == 0)
		ret = export_profout(out, x->model, parts, x->count, x->fault);
	for (size_t i = 0; i < x->count; i++)
		object_profile_free(&parts[i]);
	free(parts);
	return ret;
}

static int
export_stacks(struct export *x, FILE *out)
{
	int ret = x->old != NULL ? export_html_diff(x->old, x->model, out) :
	    export_formats[x->format].write(x->model, out);

	if (ret == -E2BIG)
		return export_refuse(x, "more than one process counted "
		    "allocations, and such a file is of one", "name the "
		    "profile of one");
	return ret == -ENOTSUP ? export_refuse(x, "this format cannot be "
	    "written: prof was built without its library", "see the summary "
	    "of configure") : ret != 0 ? export_memory(x) : 0;
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

/* Returns how many modules before this one have its name. */
static unsigned
export_before(const struct export *x, size_t index)
{
	const struct model_module *all = x->model->modules;
	unsigned n = 0;

	for (size_t i = 0; i < index; i++)
		n += strcmp(all[x->modules[i]].name,
		    all[x->modules[index]].name) == 0;
	return n;
}

/*
 * Returns DIRECTORY/NAME.gmon, or NAME.2.gmon if there is another module of
 * that name.
 */
static const char *
export_path(struct export *x, const char *directory, size_t index)
{
	const char *name = x->model->modules[x->modules[index]].name;
	unsigned before = export_before(x, index);
	size_t head = strlen(directory) + 1, bytes = head + strlen(name) + 32;
	char *path = malloc(bytes);
	const char *kept;

	if (path == NULL)
		return NULL;
	snprintf(path, bytes, "%s/%s", directory, name);
	/* A path that ends in a slash has no last part. */
	for (char *at = path + head; *at != '\0'; at++)
		if (*at == '/')
			*at = '_';
	if (before != 0)
		snprintf(path + strlen(path), 12, ".%u", before + 1);
	strcat(path, export_formats[x->format].suffix);
	kept = arena_copy(&x->model->arena, path, strlen(path));
	free(path);
	return kept;
}

static int
export_directory(struct export *x, const char *directory)
{
	int ret = 0;

	if (x->count == 0)
		return export_refuse(x, "nothing was counted in such a module",
		    "prof --by=module lists those that took some");
	for (size_t i = 0; i < x->count && ret == 0; i++) {
		const char *path = export_path(x, directory, i);

		ret = path == NULL ? export_memory(x) :
		    export_file(x, path, x->modules[i]);
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
	return fault_set(x->fault, "cannot be made", FAULT_NO_OFFSET, errno);
}

static int
export_to(struct export *x, const char *path, bool directory)
{
	const bool every = export_formats[x->format].suffix == NULL;
	int ret;

	/* A format of stacks holds all that was picked, not single objects. */
	if (export_has_stacks(x->format))
		return export_file(x, path, MODEL_MODULE_NONE);
	ret = export_choose(x, !directory && !every);
	if (ret != 0)
		return ret;
	if (directory)
		return export_directory(x, path);
	if (x->count == 0)
		return export_refuse(x, filter_is_on(x->model->filter,
		    FILTER_MODULE) ? "no such module in the profiles" :
		    "no program in the profiles",
		    "prof --by=module lists what is there");
	if (x->count != 1 && !every)
		return export_refuse(x, "holds one program, and the profiles "
		    "have several", "choose one with --module, or name a "
		    "directory");
	return export_file(x, path, x->modules[0]);
}

int
export_write(struct model *m, struct model *old, enum export_format format,
    const char *path, struct fault *f)
{
	struct export x = {
		.model = m, .old = old, .format = format, .fault = f,
	};
	int ret = export_is_directory(&x, path);

	if (ret > 0 && export_formats[format].suffix == NULL)
		ret = export_refuse(&x, "is a directory, and one file holds "
		    "all modules", "name a file");
	if (ret >= 0)
		ret = export_to(&x, path, ret > 0);
	free(x.modules);
	if (ret != 0 && f->file == NULL)
		f->file = path;
	return ret;
}

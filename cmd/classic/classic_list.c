/*
 * Context: O.  Prints the classic listing of files, for classic_main(): opens
 * each file, adds it to a listing of core/listing, and prints the sum; see
 * classic_list.h.
 */
#include "classic/classic_list.h"

#include "common/print_fault.h"
#include "listing_source.h"
#include "load.h"
#include "output.h"
#include "read/read_inputs.h"

#include <stdio.h>
#include <stdlib.h>

#define MON_SUM	"mon.sum"

/*
 * Reports the modules that cannot be read: their time has no names.  All else
 * was listed.
 */
static int
report_unnamed_modules(const struct listing *l)
{
	int ret = 0;

	for (const struct listing_module *m = l->modules; m != NULL;
	    m = m->next) {
		struct fault f;

		if (!m->listed || (m->error == 0 && !m->changed))
			continue;
		fault_set(&f, m->changed ? "has changed since, and its "
		    "functions have no names" : "its functions have no names",
		    FAULT_NO_OFFSET, -m->error);
		f.file = m->path;
		print_fault(&f);
		ret = LISTING_SYSTEM;
	}
	return ret;
}

static void
keep_first_fault(void *arg, const struct fault *f)
{
	struct fault *first = arg;

	if (first->what == NULL)
		*first = *f;
}

static void
no_progress(void *arg, size_t done, size_t all, const char *what)
{
	(void)arg;
	(void)done;
	(void)all;
	(void)what;
}

/*
 * Adds profiles of libmon, read as one model.  Prints a fault while the model
 * exists, because the fault borrows texts of the model.  Returns 0 or the exit
 * status.
 */
static int
list_model(struct listing *l, const struct input *in)
{
	static const struct filter every;
	struct fault f = { 0 };
	struct model m;
	int ret = model_init(&m, &every, MODEL_KEEP_ARCS, DEMANGLE_OFF);

	if (ret == 0)
		ret = read_inputs(&m, in, keep_first_fault, no_progress, &f);
	ret = ret != 0 ? LISTING_MEMORY : f.what != NULL ? LISTING_INPUT :
	    listing_add_model(l, &m, &f);
	if (ret == LISTING_MEMORY && f.what == NULL)
		fault_set_no_memory(&f);
	if (ret != 0)
		print_fault(&f);
	model_free(&m);
	return ret;
}

/*
 * Adds a file of a classic profiler to the listing.  Returns 0, or the exit
 * status after a line on standard error.
 */
static int
list_file(struct listing *l, const struct classic_list *p, const char *path)
{
	struct listing_source s;
	struct fault f = { 0 };
	int ret = listing_source_open(&s, path, p->program, &f);

	if (ret == 0) {
		f.file = NULL;
		ret = listing_add(l, &s.file, &f);
		if (f.file == NULL)
			f.file = path;
		listing_source_close(&s);
	}
	if (ret != 0)
		print_fault(&f);
	return ret;
}

/*
 * Lists the files.  Profiles of libmon are read together: the threads of a
 * process may be in several.
 */
static int
list_files(struct listing *l, const struct classic_list *p)
{
	struct input in = { .files = calloc(p->file_count, sizeof(*in.files)) };
	int ret = in.files == NULL ? LISTING_MEMORY : 0;

	for (size_t i = 0; i < p->file_count && ret == 0; i++) {
		if (load_is_profile(p->files[i]))
			in.files[in.count++] = (struct input_file) {
				.path = (char *)p->files[i], .named = true,
			};
		else
			ret = list_file(l, p, p->files[i]);
	}
	if (ret == 0 && in.count != 0 && in.count != p->file_count) {
		fprintf(stderr, "prof: %s: is a profile of another kind than "
		    "others, and cannot be summed\n", in.files[0].path);
		ret = LISTING_INPUT;
	} else if (ret == 0 && in.count != 0) {
		ret = list_model(l, &in);
	}
	if (in.files == NULL)
		fputs("prof: out of memory\n", stderr);
	free(in.files);
	return ret;
}

/*
 * Prints the listing on standard output, and writes the sum of the files to
 * mon.sum if -s of BSD asks for it.  Returns 0, or the exit status with *f set.
 */
static int
print_classic_list(const struct classic_list *p, struct listing *l,
    struct fault *f)
{
	struct output shown = { .out = stdout };
	int ret = listing_finish(l, f);

	if (ret != 0)
		return ret;
	listing_print(stdout, stderr, l);
	if (p->set.style == LISTING_BSD && p->set.statistics) {
		ret = listing_write_sum(MON_SUM, l, f);
		f->file = MON_SUM;
	}
	if (ret == 0 && output_close(&shown, f) != 0)
		ret = LISTING_SYSTEM;
	return ret;
}

int
classic_list(const struct classic_list *p)
{
	struct listing l;
	struct fault f = { 0 };
	int ret = listing_begin(&l, &p->set, p->program, &f);

	if (ret == 0)
		ret = list_files(&l, p);
	if (ret == 0) {
		ret = print_classic_list(p, &l, &f);
		if (ret != 0)
			print_fault(&f);
		else
			ret = report_unnamed_modules(&l);
	}
	listing_free(&l);
	return ret;
}

/*
 * Context: O.  Reads all input files into one model: profiles of libmon.so, and
 * files of other profilers in the order in which their formats can be
 * recognized.  For prof and all other tools that make reports; see
 * read_inputs.h.
 */
#include "read/read_inputs.h"

#include "base/key_table.h"
#include "duplicates.h"
#include "foreign/read_import.h"
#include "foreign/read_tprof.h"
#include "foreign/tprof_file.h"
#include "load.h"
#include "read/read_classic.h"
#include "read/read_profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns 1 if the file was not met before, 0 if it was, or -ENOMEM. */
static int
is_new_file(struct key_table *seen, dev_t device, ino_t inode)
{
	const size_t before = seen->count;
	const uint32_t n = key_table_add(seen, device, inode, 0);

	return n == UINT32_MAX ? -ENOMEM : n == before;
}

/* State while files are read. */
struct read_inputs {
	struct model *model;
	const struct input *all;
	struct key_table seen;	/* device and inode of each file */
	struct import_places places;
};

/*
 * Returns whether a file that is no profile of libmon.so may be one of another
 * profiler.  It must have been named by the user or be called mon.out, the name
 * of all such classic files, because some formats have nothing by which they
 * are recognized.  A tprof.out is recognized by its magic, and so is also read
 * from a directory.
 */
static bool
may_be_foreign(const struct input_file *in)
{
	return in->named || strcmp(in->path, "mon.out") == 0 ||
	    tprof_file_probe(in->path);
}

/*
 * Reads a file of tprof(8).  NetBSD's files have no magic; the user has to name
 * their format.  Returns as read_tprof_add_path().
 */
static int
read_tprof_input(struct read_inputs *g, const struct input_file *in,
    struct fault *f)
{
	const struct input *all = g->all;
	const struct read_tprof_request own = {
		.asked = in->named && all->read == IMPORT_TPROF,
		.event = all->read == IMPORT_TPROF ? all->choice : NULL,
	};

	return !in->named || own.asked || all->read == IMPORT_NONE ?
	    read_tprof_add_path(g->model, &own, in->path, f) : LOAD_OTHER;
}

/*
 * Tries all formats of other profilers.  Current formats are recognized, or
 * named by the user; any other file is tried as a classic one.  Returns 0,
 * LOAD_PARTLY, LOAD_OTHER, or -errno with *f set, except f->file.
 */
static int
read_foreign_formats(struct read_inputs *g, const struct input_file *in,
    struct fault *f)
{
	const struct input *all = g->all;
	const char *program = in->program != NULL ? in->program :
	    all->program_count != 0 ? all->programs[0] : NULL;
	const struct read_import_file today = {
		in->path, all->read, all->choice,
	};
	const struct read_classic_file classic = { in->path, program };
	int ret = read_tprof_input(g, in, f);

	g->places.program = program;
	if (ret == LOAD_OTHER && in->named && all->read != IMPORT_TPROF)
		ret = read_import_add(&g->places, &today, f);
	if (ret < 0 && all->read != IMPORT_NONE && f->remedy == NULL)
		f->remedy = "name its format with --read";
	return ret == LOAD_OTHER && all->read == IMPORT_NONE ?
	    read_classic_add(g->model, &classic, f) : ret;
}

/*
 * Reads a file that is no profile of libmon.so, unless it was met before.  *f:
 * why it is no profile.  Returns 0 if there is nothing to report; otherwise
 * another value, and *f is to be reported.
 */
static int
read_foreign_input(struct read_inputs *g, const struct input_file *in,
    struct fault *f)
{
	struct fault own = { 0 };
	struct stat st;
	int ret = stat(in->path, &st) != 0 ? 1 :
	    is_new_file(&g->seen, st.st_dev, st.st_ino);

	if (ret < 0)
		return fault_set_no_memory(f);
	if (ret == 1)
		ret = read_foreign_formats(g, in, &own);
	if (ret == LOAD_OTHER && in->named)
		return -EINVAL;
	if (ret == 0 || ret == LOAD_OTHER)
		return 0;
	*f = own;
	f->file = in->path;
	return ret;
}

/*
 * Reads one file of the list.  Returns 0 if there is nothing to report;
 * otherwise another value with *f set.
 */
static int
read_one_input(struct read_inputs *g, const struct input_file *in,
    struct fault *f)
{
	struct load l;
	int ret = load_open(&l, in->path, f);

	if (ret == LOAD_OTHER && may_be_foreign(in))
		return read_foreign_input(g, in, f);
	if (ret != 0)
		return ret == LOAD_OTHER ? 0 : -EINVAL;
	ret = is_new_file(&g->seen, l.device, l.inode);
	if (ret == 1)
		ret = read_profile_add(g->model, &l.decode, f);
	else if (ret < 0)
		fault_set_no_memory(f);
	load_close(&l);
	f->file = in->path;
	return ret;
}

/*
 * Returns whether all files of each run are read: only directories were named,
 * or nothing, so that the newest run is read.
 */
static bool
reads_whole_runs(const struct input *in)
{
	for (size_t i = 0; i < in->count; i++)
		if (in->files[i].named)
			return false;
	return true;
}

int
read_inputs(struct model *m, const struct input *in, read_inputs_fault *fault,
    read_inputs_progress *progress, void *arg)
{
	struct read_inputs g = { .model = m, .all = in };
	size_t *places = duplicates_read_order(in);
	int ret = places == NULL ? -ENOMEM : 0;

	import_places_init(&g.places, m);
	m->whole = reads_whole_runs(in);
	for (size_t i = 0; i < in->count && ret == 0; i++) {
		const struct input_file *next = &in->files[places[i]];
		struct fault f = { 0 };

		if (progress != NULL)
			progress(arg, i, in->count, next->path);
		if (read_one_input(&g, next, &f) == 0)
			continue;
		fault(arg, &f);
		if (f.errnum == ENOMEM)
			ret = -ENOMEM;
	}
	free(places);
	key_table_free(&g.seen);
	import_places_free(&g.places);
	return ret != 0 ? ret : model_finish(m);
}

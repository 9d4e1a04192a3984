/* Context: O.  Every input file into one model. */
#define _GNU_SOURCE		/* tdestroy */
#include "gather.h"

#include "adopt.h"
#include "convert.h"
#include "copies.h"
#include "load.h"
#include "order.h"
#include "sampling.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct gather_seen {
	dev_t device;
	ino_t inode;
};

static int
seen_compare(const void *left, const void *right)
{
	const struct gather_seen *a = left, *b = right;

	int d = order(a->device, b->device);

	return d != 0 ? d : order(a->inode, b->inode);
}

/* 1 the first time, 0 later, -ENOMEM. */
static int
gather_is_new(void **tree, dev_t device, ino_t inode)
{
	struct gather_seen *own = malloc(sizeof(*own)), **found;

	if (own == NULL)
		return -ENOMEM;
	own->device = device;
	own->inode = inode;
	found = tsearch(own, tree, seen_compare);
	if (found == NULL || *found != own)
		free(own);
	return found == NULL ? -ENOMEM : *found == own;
}

/* While files are read. */
struct gather {
	struct model *model;
	const struct input *all;
	void *seen;		/* tsearch(3) */
	struct told told;
};

/*
 * What is no profile of ours may be one of another profiler; only if it was
 * named, or has the name that all classic ones have, as some of those have
 * nothing to tell them by.  A tprof.out has, and is one of ours in a directory.
 */
static bool
gather_may_be_foreign(const struct input_file *in)
{
	return in->named || strcmp(in->path, "mon.out") == 0 ||
	    sampling_is(in->path);
}

/* A file of tprof(8), which need not say that it is one. */
static int
gather_sampling(struct gather *g, const struct input_file *in,
    struct fault *f)
{
	const struct input *all = g->all;
	const struct sampling_file own = {
		.asked = in->named && all->read == IMPORT_TPROF,
		.event = all->read == IMPORT_TPROF ? all->choice : NULL,
	};

	return !in->named || own.asked || all->read == IMPORT_NONE ?
	    sampling_read(g->model, &own, in->path, f) : LOAD_OTHER;
}

/* Those of today say what they are, or the user does; the classic ones rest. */
static int
gather_add(struct gather *g, const struct input_file *in, struct fault *f)
{
	const struct input *all = g->all;
	const char *program = in->program != NULL ? in->program :
	    all->program_count != 0 ? all->programs[0] : NULL;
	const struct convert_file today = {
		in->path, all->read, all->choice,
	};
	const struct adopt_file classic = { in->path, program };
	int ret = gather_sampling(g, in, f);

	g->told.program = program;
	if (ret == LOAD_OTHER && in->named && all->read != IMPORT_TPROF)
		ret = convert_add(&g->told, &today, f);
	if (ret < 0 && all->read != IMPORT_NONE && f->remedy == NULL)
		f->remedy = "--read says what it is";
	return ret == LOAD_OTHER && all->read == IMPORT_NONE ?
	    adopt_add(g->model, &classic, f) : ret;
}

static int
gather_foreign(struct gather *g, const struct input_file *in, struct fault *f)
{
	struct fault own = { 0 };
	struct stat st;
	int ret = stat(in->path, &st) != 0 ? 1 :
	    gather_is_new(&g->seen, st.st_dev, st.st_ino);

	if (ret < 0)
		return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	if (ret == 1)
		ret = gather_add(g, in, &own);
	if (ret == LOAD_OTHER && in->named)
		return -EINVAL;
	if (ret == 0 || ret == LOAD_OTHER)
		return 0;
	*f = own;
	f->file = in->path;
	return ret;
}

static int
gather_one(struct gather *g, const struct input_file *in, struct fault *f)
{
	struct load l;
	int ret = load_open(&l, in->path, f);

	if (ret == LOAD_OTHER && gather_may_be_foreign(in))
		return gather_foreign(g, in, f);
	if (ret != 0)
		return ret == LOAD_OTHER ? 0 : -EINVAL;
	ret = gather_is_new(&g->seen, l.device, l.inode);
	if (ret == 1)
		ret = model_add(g->model, &l.decode, f);
	else if (ret < 0)
		fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	load_close(&l);
	f->file = in->path;
	return ret;
}

/*
 * Returns whether all files of each run are read: only directories were named,
 * or nothing, which means the newest run.
 */
static bool
is_whole(const struct input *in)
{
	for (size_t i = 0; i < in->count; i++)
		if (in->files[i].named)
			return false;
	return true;
}

int
gather_all(struct model *m, const struct input *in, gather_fault *fault,
    gather_progress *progress, void *arg)
{
	struct gather g = { .model = m, .all = in };
	size_t *places = copies_order(in);
	int ret = places == NULL ? -ENOMEM : 0;

	told_init(&g.told, m);
	m->whole = is_whole(in);
	for (size_t i = 0; i < in->count && ret == 0; i++) {
		const struct input_file *next = &in->files[places[i]];
		struct fault f = { 0 };

		if (progress != NULL)
			progress(arg, i, in->count, next->path);
		if (gather_one(&g, next, &f) == 0)
			continue;
		fault(arg, &f);
		if (f.errnum == ENOMEM)
			ret = -ENOMEM;
	}
	free(places);
	tdestroy(g.seen, free);
	told_free(&g.told);
	return ret != 0 ? ret : model_finish(m);
}

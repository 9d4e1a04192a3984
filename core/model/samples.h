/* Context: O.  Samples with their callers, as formats of stacks want them. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "focus.h"
#include "layout.h"
#include "sites.h"

struct samples {
	struct model *model;
	struct sites sites;
	struct layout_module *layout;	/* of the modules of sites */
	struct focus focus;
	uint32_t *path;		/* sites, of samples_path(); innermost first */
	size_t depth;
	size_t depth_most;	/* of all */
	struct samples_frame *frames;	/* the same, of samples_frames() */
	size_t frame_count, frame_room;
};

/* A function on a path: one site can stand for several. */
struct samples_frame {
	uint32_t site;
	uint32_t function;
	uint32_t file;		/* of model.sources, MODEL_NONE: not known */
	uint32_t line;		/* 0 likewise */
	bool inlined;		/* into the next one */
};

/* After symbolise_all().  0 or -ENOMEM; free it in any case. */
int samples_open(struct samples *s, struct model *m);
void samples_close(struct samples *s);

/* The path of that row; false: it is no sample that is asked for. */
bool samples_path(struct samples *s, size_t row);

/* The functions of the path, innermost first.  0 or -ENOMEM. */
int samples_frames(struct samples *s);

/* Where a site is; 0 where nothing has an address. */
uint64_t samples_address(const struct samples *s, uint32_t site);

/* A thread's name, in the model's arena; "" of none.  NULL: no memory. */
const char *samples_thread(const struct samples *s, uint32_t thread);

#endif

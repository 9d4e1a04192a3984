/* Context: O.  Samples with their callers, as formats of stacks want them. */
#ifndef SAMPLE_PATHS_H
#define SAMPLE_PATHS_H

#include "base/focus.h"
#include "derive/address_layout.h"
#include "derive/code_locations.h"

struct sample_paths {
	struct model *model;
	struct code_locations sites;
	struct address_layout_module *layout;	/* of the modules of sites */
	struct focus focus;
	/* sites, of sample_paths_get(); innermost first */
	uint32_t *path;
	size_t depth;
	size_t depth_most;	/* of all */
	/* the same, of sample_paths_get_frames() */
	struct sample_paths_frame *frames;
	size_t frame_count, frame_room;
};

/* A function on a path: one site can stand for several. */
struct sample_paths_frame {
	uint32_t site;
	uint32_t function;
	uint32_t file;		/* of model.sources, MODEL_NONE: not known */
	uint32_t line;		/* 0 likewise */
	bool inlined;		/* into the next one */
};

/* After symbolize_all().  0 or -ENOMEM; free it in any case. */
int sample_paths_open(struct sample_paths *s, struct model *m);
void sample_paths_close(struct sample_paths *s);

/* The path of that row; false: it is no sample that is asked for. */
bool sample_paths_get(struct sample_paths *s, size_t row);

/* The functions of the path, innermost first.  0 or -ENOMEM. */
int sample_paths_get_frames(struct sample_paths *s);

/* Where a site is; 0 where nothing has an address. */
uint64_t sample_paths_address(const struct sample_paths *s, uint32_t site);

/* A thread's name, in the model's arena; "" of none.  NULL: no memory. */
const char *sample_paths_thread(const struct sample_paths *s, uint32_t thread);

#endif

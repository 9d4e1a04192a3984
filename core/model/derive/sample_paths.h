/*
 * Context: O.  Samples with their callers, for exporters (core/export) and the
 * HTML page, after symbolize_all().  One export at a time goes over the rows:
 * sample_paths_get() for each, then its path.
 */
#ifndef SAMPLE_PATHS_H
#define SAMPLE_PATHS_H

#include "base/focus.h"
#include "derive/address_layout.h"
#include "derive/code_locations.h"

/* State of an export, and the current path. */
struct sample_paths {
	struct model *model;
	/* samples of CPU time and of time asleep, whatever filter.asleep is */
	bool any_time;
	struct code_locations sites;
	/* ranges of the modules of sites */
	struct address_layout_module *layout;
	struct focus focus;
	/*
	 * sites of the current path, innermost first; set by sample_paths_get()
	 */
	uint32_t *path;
	size_t depth;
	size_t depth_most;	/* depth of the deepest path */
	/* functions of the current path; set by sample_paths_get_frames() */
	struct sample_paths_frame *frames;
	size_t frame_count, frame_room;
};

/* A function on a path; a site with inlined functions has several. */
struct sample_paths_frame {
	uint32_t site;
	uint32_t function;
	uint32_t file;	/* index in model.sources; MODEL_NONE = not known */
	uint32_t line;		/* 0 = not known */
	bool inlined;		/* it is inlined into the next one */
};

/*
 * Begins an export of the model, after symbolize_all(); *s need not be set.
 * Rows and frames must not change until the end.  Returns 0 or -ENOMEM; call
 * sample_paths_close() in either case.
 */
int sample_paths_open(struct sample_paths *s, struct model *m);

/* Frees what the export holds. */
void sample_paths_close(struct sample_paths *s);

/*
 * Makes the path of a row, by its index, the current path.  Returns false if
 * the row is no sample, or FILTER_FOCUS, FILTER_IGNORE or filter.asleep leave
 * it out; the last is not asked if any_time is set, which the exporter does.
 * Sets m->met.
 */
bool sample_paths_get(struct sample_paths *s, size_t row);

/*
 * Makes the list of functions of the current path, innermost first, in
 * s->frames; it is valid until the next call.  Returns 0 or -ENOMEM.
 */
int sample_paths_get_frames(struct sample_paths *s);

/*
 * Returns the address of a site in the layout, see address_layout.h; 0 if the
 * site has none.
 */
uint64_t sample_paths_address(const struct sample_paths *s, uint32_t site);

/*
 * Returns the name of a thread, which lives as long as the model; "" for
 * MODEL_NONE.  Returns NULL if memory is out.
 */
const char *sample_paths_thread(const struct sample_paths *s, uint32_t thread);

#endif

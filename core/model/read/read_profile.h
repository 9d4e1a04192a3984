/*
 * Context: O.  State and helpers that the parts of the reader of one profile
 * share: read_profile.c and read_profile_heap.c.
 */
#ifndef READ_PROFILE_H
#define READ_PROFILE_H

#include "base/model.h"
#include "sample_scale.h"

/*
 * State while one file is read: its records, and their counterparts in the
 * model.
 */
struct profile_reader {
	struct model *model;
	struct decode *file;
	struct fault *fault;
	uint32_t process;
	uint32_t thread;
	struct read_profile_module *modules;	/* ascending by record */
	size_t module_count, module_room;
	/* frame of each node of the file, by the node's index; or NULL */
	uint32_t *frames;
	/*
	 * 1 + row of each node, by its index; NULL where moments are not kept
	 */
	uint32_t *rows;
	/*
	 * ns of the moments of each node that were read so far; NULL where
	 * samples are not scaled
	 */
	uint64_t *timed;
	/* scale of the file's samples of time */
	struct sample_scale scale;
	uint32_t kernel;	/* module of the kernel functions in the file */
	uint64_t real;	/* real time at CLOCK_MONOTONIC 0, ns since 1970 */
};

/* A module record of the file and its module in the model. */
struct read_profile_module {
	uint32_t record;
	uint32_t module;
};

/*
 * read_profile_find_module() returns the module of a node in the model.
 * read_profile_process() returns the process of a row in that module:
 * MODEL_NONE where processes share rows.
 */
uint32_t read_profile_find_module(const struct profile_reader *x,
    const struct format_node *n);
uint32_t read_profile_process(const struct profile_reader *x, uint32_t module);

/*
 * Adds the frame of a node that is a caller of others; the frame of its own
 * caller must have been added before.  Frames of libmon.so are left out.
 * Returns 0, or -errno with *x->fault set.
 */
int read_profile_add_frame(struct profile_reader *x, uint32_t index,
    const struct format_node *n);

/* Returns whether a node is a caller or a cut. */
bool read_profile_is_caller(const struct format_node *n);

/*
 * Reads the allocations of the file, which are in its lanes, into the model.
 * Defined in read_profile_heap.c.  Returns 0, or -errno with *x->fault set.
 */
int read_profile_heap(struct profile_reader *x);

/*
 * Checks that a file with a heap has points of its timeline.  Returns 0, or
 * -errno with *f set.
 */
int read_profile_heap_check(const struct decode *d, struct fault *f);

#endif

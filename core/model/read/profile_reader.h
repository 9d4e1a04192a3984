/*
 * Context: O.  State that the parts of the reader of one profile share; see
 * read_profile.c.
 */
#ifndef PROFILE_READER_H
#define PROFILE_READER_H

#include "base/model.h"
#include "sample_scale.h"

#include <errno.h>

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

/* Sets *f to "out of memory" and returns -ENOMEM. */
static inline int
profile_reader_no_memory(struct fault *f)
{
	return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
}

#endif

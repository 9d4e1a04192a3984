/*
 * Context: O.  State that the parts of the reader of one profile of libmon.so
 * share: read_profile.c and the profile_*.c, process_texts.c and
 * read_profile_heap.c that it calls.
 */
#ifndef PROFILE_READER_H
#define PROFILE_READER_H

#include "base/model.h"
#include "sample_scale.h"

/*
 * State while one file is read: its records, and their counterparts in the
 * model.  read_profile_add() owns it and frees the arrays.
 */
struct profile_reader {
	struct model *model;
	struct decode *file;
	struct fault *fault;
	uint32_t process;	/* image of the file in the model */
	uint32_t thread;	/* thread in the model whose tree is read */
	struct read_profile_module *modules;	/* ascending by record */
	size_t module_count, module_room;
	/*
	 * frame of each caller among the nodes, by the node's index; NULL where
	 * stacks are not kept
	 */
	uint32_t *frames;
	/*
	 * 1 + row number of each node, by its index, 0 = the node has no row;
	 * NULL where moments are not kept or the file has no tick log
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

#endif

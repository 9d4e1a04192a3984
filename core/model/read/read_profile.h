/* Context: O.  One decoded file into the model: what its parts share. */
#ifndef READ_PROFILE_H
#define READ_PROFILE_H

#include "base/model.h"
#include "sample_scale.h"

/* While one file is read: its records, and what they are in the model. */
struct profile_reader {
	struct model *model;
	struct decode *file;
	struct fault *fault;
	uint32_t process;
	uint32_t thread;
	struct read_profile_module *modules;	/* ascending by record */
	size_t module_count, module_room;
	uint32_t *frames;	/* of the file's nodes, by index; or NULL */
	uint32_t *rows;		/* the same, + 1: where moments are kept */
	uint64_t *timed;	/* ns of the moments of each that were met; NULL
				   where samples are not scaled */
	struct sample_scale scale;	/* of the file's samples of time */
	uint32_t kernel;	/* the module of its kernel functions */
	uint64_t real;		/* since 1970 at CLOCK_MONOTONIC 0 */
};

struct read_profile_module {
	uint32_t record;
	uint32_t module;
};

/* The module of a node, and the process of a row in that. */
uint32_t read_profile_find_module(const struct profile_reader *x,
    const struct format_node *n);
uint32_t read_profile_process(const struct profile_reader *x, uint32_t module);

/* A caller of others; its own caller is there already.  0 or -errno. */
int read_profile_add_frame(struct profile_reader *x, uint32_t index,
    const struct format_node *n);
bool read_profile_is_caller(const struct format_node *n);

/* read_profile_heap.c: the lanes.  0 or -errno with *x->fault. */
int read_profile_heap(struct profile_reader *x);

/* Was how it grew noted, if there is a heap?  The same. */
int read_profile_heap_check(const struct decode *d, struct fault *f);

#endif

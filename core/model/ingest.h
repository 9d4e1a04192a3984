/* Context: O.  One decoded file into the model: what its parts share. */
#ifndef INGEST_H
#define INGEST_H

#include "model.h"
#include "sample_scale.h"

/* While one file is read: its records, and what they are in the model. */
struct ingest {
	struct model *model;
	struct decode *file;
	struct fault *fault;
	uint32_t process;
	uint32_t thread;
	struct ingest_module *modules;	/* ascending by record */
	size_t module_count, module_room;
	uint32_t *frames;	/* of the file's nodes, by index; or NULL */
	uint32_t *rows;		/* the same, + 1: where moments are kept */
	uint64_t *timed;	/* ns of the moments of each that were met; NULL
				   where samples are not scaled */
	struct sample_scale scale;	/* of the file's samples of time */
	uint32_t kernel;	/* the module of its kernel functions */
	uint64_t real;		/* since 1970 at CLOCK_MONOTONIC 0 */
};

struct ingest_module {
	uint32_t record;
	uint32_t module;
};

/* The module of a node, and the process of a row in that. */
uint32_t ingest_find_module(const struct ingest *x,
    const struct format_node *n);
uint32_t ingest_process(const struct ingest *x, uint32_t module);

/* A caller of others; its own caller is there already.  0 or -errno. */
int ingest_frame(struct ingest *x, uint32_t index,
    const struct format_node *n);
bool ingest_is_caller(const struct format_node *n);

/* ingest_heap.c: the lanes.  0 or -errno with *x->fault. */
int ingest_heap(struct ingest *x);

/* Was how it grew noted, if there is a heap?  The same. */
int ingest_needs_points(const struct decode *d, struct fault *f);

#endif

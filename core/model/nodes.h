/* Context: O.  Modules and stacks of a tprof.out, in the model. */
#ifndef NODES_H
#define NODES_H

#include "ksyms.h"
#include "owners.h"

/* No stack is: what a hostile file has of them is walked for each sample. */
#define NODES_DEEPEST	65536u

struct node {
	uint32_t caller;	/* its number, from 1 on; 0 = none */
	uint32_t module;	/* of the file, likewise; 0: absolute */
	uint32_t flags;		/* TPROF_F_* */
	uint64_t address;
	uint32_t frame;		/* of the model, as a caller; 0 = not yet ... */
	uint32_t process;	/* ... of rows of that process */
};

/* A module of the file, in the model. */
struct node_module {
	uint32_t module;
	uint64_t bias;
};

struct nodes {
	struct model *model;
	const struct owners *owners;
	struct ksyms ksyms;
	uint32_t kernel;	/* the module of its kernel functions */
	struct node *all;
	size_t count, room;
	struct node_module *modules;
	size_t module_count, module_room;
	uint32_t *path;		/* that has no frames yet, the innermost first */
	size_t path_room;
};

/* After all its names were added.  0 or -ENOMEM. */
int nodes_begin(struct nodes *x);

/* 0 or -ENOMEM; the text of a module was checked. */
int nodes_module(struct nodes *x, const struct tprof_note *n,
    const struct tprof_module *module);
int nodes_add(struct nodes *x, const struct tprof_note *n);

/*
 * Where a sample is: module, kind and address of the row, and its stack, where
 * stacks are kept.  node 0: nobody knows.  0 or -ENOMEM.
 */
int nodes_place(struct nodes *x, const struct tprof_record *r, uint32_t node,
    uint32_t process, struct model_row *row);

void nodes_free(struct nodes *x);

#endif

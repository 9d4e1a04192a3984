/* Context: O.  Modules and stacks of a tprof.out, in the model. */
#ifndef TPROF_STACKS_H
#define TPROF_STACKS_H

#include "foreign/tprof_processes.h"
#include "names/kernel_symbols.h"

/* No stack is: what a hostile file has of them is walked for each sample. */
#define TPROF_STACKS_DEPTH_MAX	65536u

struct tprof_stacks_node {
	uint32_t caller;	/* its number, from 1 on; 0 = none */
	uint32_t module;	/* of the file, likewise; 0: absolute */
	uint32_t flags;		/* TPROF_F_* */
	uint64_t address;
	uint32_t frame;		/* of the model, as a caller; 0 = not yet ... */
	uint32_t process;	/* ... of rows of that process */
};

/* A module of the file, in the model. */
struct tprof_stacks_module {
	uint32_t module;
	uint64_t bias;
};

struct tprof_stacks {
	struct model *model;
	const struct tprof_processes *owners;
	struct kernel_symbols ksyms;
	uint32_t kernel;	/* the module of its kernel functions */
	struct tprof_stacks_node *all;
	size_t count, room;
	struct tprof_stacks_module *modules;
	size_t module_count, module_room;
	/* that has no frames yet, the innermost first */
	uint32_t *path;
	size_t path_room;
};

/* After all its names were added.  0 or -ENOMEM. */
int tprof_stacks_begin(struct tprof_stacks *x);

/* 0 or -ENOMEM; the text of a module was checked. */
int tprof_stacks_add_module(struct tprof_stacks *x, const struct tprof_note *n,
    const struct tprof_module *module);
int tprof_stacks_add_node(struct tprof_stacks *x, const struct tprof_note *n);

/*
 * Where a sample is: module, kind and address of the row, and its stack, where
 * stacks are kept.  node 0: nobody knows.  0 or -ENOMEM.
 */
int tprof_stacks_locate(struct tprof_stacks *x, const struct tprof_record *r,
    uint32_t node, uint32_t process, struct model_row *row);

void tprof_stacks_free(struct tprof_stacks *x);

#endif

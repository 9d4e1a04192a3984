/*
 * Context: O.  Converts modules and stacks of a tprof.out to those of the
 * model, for read_tprof.c: its first pass fills `ksyms`, the second adds
 * modules and nodes in the order of the file and locates samples.
 */
#ifndef TPROF_STACKS_H
#define TPROF_STACKS_H

#include "foreign/tprof_processes.h"
#include "names/kernel_symbols.h"

/*
 * Greatest depth of a stack.  No real stack is as deep; the limit bounds the
 * work for a hostile file, whose stacks are walked for each sample.
 */
#define TPROF_STACKS_DEPTH_MAX	65536u

/* A node of the file: one step of a call path. */
struct tprof_stacks_node {
	/* number of its caller, counted from 1; 0 = none */
	uint32_t caller;
	/* number of its module in the file, counted from 1; 0 = absolute */
	uint32_t module;
	uint32_t flags;		/* TPROF_F_* */
	uint64_t address;
	/* frame of the model that it has as a caller; 0 = none yet */
	uint32_t frame;
	/*
	 * process of the rows for which `frame` was made; MODEL_NONE: processes
	 * are not kept, and a node with absolute addresses is of one process
	 */
	uint32_t process;
};

/* A module of the file, and its module in the model. */
struct tprof_stacks_module {
	uint32_t module;
	uint64_t bias;		/* what is added to an address in the file */
};

/*
 * State while one file is read.  The caller sets `model` and `owners`, and adds
 * to `ksyms`; all else is 0 at first.
 */
struct tprof_stacks {
	struct model *model;
	const struct tprof_processes *owners;
	struct kernel_symbols ksyms;
	uint32_t kernel;	/* module of the kernel functions in the file */
	struct tprof_stacks_node *all;
	size_t count, room;
	struct tprof_stacks_module *modules;
	size_t module_count, module_room;
	/* nodes that have no frame yet, innermost first */
	uint32_t *path;
	size_t path_room;
};

/*
 * Chooses the module of kernel functions and sorts x->ksyms, after all kernel
 * symbols of the file were added to it.  Returns 0 or -ENOMEM.
 */
int tprof_stacks_begin(struct tprof_stacks *x);

/*
 * tprof_stacks_add_module() adds a module of the file: its note, and its text
 * as tprof_module_get() has parsed it; tprof_stacks_add_node() adds a node.
 * Each must come before what refers to its number.  Both return 0 or -ENOMEM.
 */
int tprof_stacks_add_module(struct tprof_stacks *x, const struct tprof_note *n,
    const struct tprof_module *module);
int tprof_stacks_add_node(struct tprof_stacks *x, const struct tprof_note *n);

/*
 * Sets module, kind, address and process of *row to the place of a sample and,
 * where stacks are kept, its stack.  `node` is the sample's node, 0 if it has
 * none; `process` is its process in the model or MODEL_NONE.  Must be called
 * after tprof_stacks_begin().  Returns 0 or -ENOMEM.
 */
int tprof_stacks_locate(struct tprof_stacks *x, const struct tprof_record *r,
    uint32_t node, uint32_t process, struct model_row *row);

/* Frees what the state holds. */
void tprof_stacks_free(struct tprof_stacks *x);

#endif

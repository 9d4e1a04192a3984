/* Context: O.  What a page is made of: a tree of stacks, and samples at it. */
#ifndef PAGETREE_H
#define PAGETREE_H

#include "samples.h"
#include "strings.h"

struct pagetree_node {
	uint32_t parent, function;	/* of pagetree.functions */
	bool inlined;
};

struct pagetree_sample {
	uint32_t node, thread;
	uint64_t ns, count;
	uint32_t row;		/* of the model */
};

struct pagetree_samples {
	struct pagetree_sample *all;
	size_t count, room;
};

struct pagetree_function {
	const char *name, *module;	/* as long as the model */
};

struct pagetree_process {
	const char *program;
	int32_t pid;		/* 0: of all that are called so */
};

/* Of a thread, or of what of a process is of none. */
struct pagetree_thread {
	uint32_t process;	/* MODEL_NONE = of none */
	int32_t tid;		/* 0: of all that are called so, or of none */
	const char *name;
	uint32_t key;
};

struct pagetree {
	bool by_name;		/* what is called the same is one */
	struct pagetree_node *nodes;	/* 0 is above the outermost */
	size_t node_count, node_room;
	struct finder by_key;
	struct pagetree_function *functions;
	size_t function_count, function_room;
	struct pagetree_process *processes;
	size_t process_count, process_room;
	struct pagetree_thread *threads;
	size_t thread_count, thread_room;
	struct finder by_thread;
	struct strings called, programs, names;	/* where by_name */
};

/* Free it in any case.  0 or -ENOMEM. */
int pagetree_init(struct pagetree *t, bool by_name);
void pagetree_free(struct pagetree *t);

/*
 * The samples of one model, whose texts stay in it.  Of several models a tree
 * is by name.  *numbers: of each function of the model its number here, + 1, or
 * 0; malloced, as the samples are.  0 or -ENOMEM.
 */
int pagetree_add(struct pagetree *t, struct samples *in,
    struct pagetree_samples *out, uint32_t **numbers);

#endif

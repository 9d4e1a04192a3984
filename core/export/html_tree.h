/* Context: O.  What a page is made of: a tree of stacks, and samples at it. */
#ifndef HTML_TREE_H
#define HTML_TREE_H

#include "base/string_pool.h"
#include "derive/sample_paths.h"

struct html_tree_node {
	uint32_t parent, function;	/* of pagetree.functions */
	bool inlined;
};

struct html_tree_sample {
	uint32_t node, thread;
	uint64_t ns, count;
	uint32_t row;		/* of the model */
};

struct html_tree_samples {
	struct html_tree_sample *all;
	size_t count, room;
};

struct html_tree_function {
	const char *name, *module;	/* as long as the model */
};

struct html_tree_process {
	const char *program;
	int32_t pid;		/* 0: of all that are called so */
};

/* Of a thread, or of what of a process is of none. */
struct html_tree_thread {
	uint32_t process;	/* MODEL_NONE = of none */
	int32_t tid;		/* 0: of all that are called so, or of none */
	const char *name;
	uint32_t key;
};

struct html_tree {
	bool by_name;		/* what is called the same is one */
	struct html_tree_node *nodes;	/* 0 is above the outermost */
	size_t node_count, node_room;
	struct hash_index by_key;
	struct html_tree_function *functions;
	size_t function_count, function_room;
	struct html_tree_process *processes;
	size_t process_count, process_room;
	struct html_tree_thread *threads;
	size_t thread_count, thread_room;
	struct hash_index by_thread;
	struct string_pool called, programs, names;	/* where by_name */
};

/* Free it in any case.  0 or -ENOMEM. */
int html_tree_init(struct html_tree *t, bool by_name);
void html_tree_free(struct html_tree *t);

/*
 * The samples of one model, whose texts stay in it.  Of several models a tree
 * is by name.  *numbers: of each function of the model its number here, + 1, or
 * 0; malloced, as the samples are.  0 or -ENOMEM.
 */
int html_tree_add(struct html_tree *t, struct sample_paths *in,
    struct html_tree_samples *out, uint32_t **numbers);

#endif

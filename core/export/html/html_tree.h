/*
 * Context: O.  The data of a page: a tree of stacks, and the samples at its
 * nodes.  export_html.c adds one or two models to one tree; the other files of
 * this folder write parts of it.
 */
#ifndef HTML_TREE_H
#define HTML_TREE_H

#include "base/key_table.h"
#include "base/string_pool.h"
#include "derive/sample_paths.h"
#include "html/html_kind.h"
#include "html/html_lines.h"
#include "names/common_names.h"

/* A node of the tree. */
struct html_tree_node {
	/* Function: index into html_tree.functions */
	uint32_t parent, function;
	bool inlined;
};

/* A sample of one model. */
struct html_tree_sample {
	uint32_t node, thread;	/* indexes into the tree's arrays */
	uint64_t ns, count;
	uint32_t row;		/* row of the model */
	bool asleep;		/* ns is time asleep, not CPU time */
};

/* The samples of one model. */
struct html_tree_samples {
	struct html_tree_sample *all;
	size_t count, room;
	bool some_asleep;	/* some of them are time asleep */
};

/* A function; both texts are of the model or of the common names. */
struct html_tree_function {
	const char *name, *module;
	enum html_kind kind;
	/* its hottest line; file: NULL if none is known */
	const char *file;
	uint32_t line;
};

/* A process, or in a tree by name all processes of a program. */
struct html_tree_process {
	const char *program;
	int32_t pid;		/* 0: all processes of that name */
};

/* A thread, or the part of a process that belongs to no thread. */
struct html_tree_thread {
	uint32_t process;	/* MODEL_NONE: of no process */
	int32_t tid;		/* 0: all threads of that name, or no thread */
	const char *name;
	uint32_t key;
};

/* The tree and what its nodes and samples refer to. */
struct html_tree {
	/* things of one name are one thing; NULL: they are not */
	struct common_names *common;
	/* a: parent, b: function; each node has the number of its key */
	struct key_table node_keys;
	struct html_tree_node *nodes;	/* node 0 is above the outermost */
	size_t node_room;
	struct html_tree_function *functions;
	size_t function_count, function_room;
	struct html_tree_process *processes;
	size_t process_count, process_room;
	/* a: process, b: key; each thread has the number of its key */
	struct key_table thread_keys;
	struct html_tree_thread *threads;
	size_t thread_room;
	struct html_lines lines;	/* not used with common names */
	/* used with common names */
	struct string_pool called, programs, names;
};

/*
 * Initializes a tree.  common: names in all models of it, by which processes,
 * threads and functions of one name are one; borrowed until html_tree_free();
 * NULL: the tree has one model.  Returns 0 or -ENOMEM; html_tree_free() must be
 * called in any case.
 */
int html_tree_init(struct html_tree *t, struct common_names *common);
/* Frees the tree. */
void html_tree_free(struct html_tree *t);

/*
 * Adds the samples of a model, whose texts stay in the model, to the tree and
 * to *out, which has none yet.  `in` is open.  A tree of several models must
 * have common names.  *numbers receives, for each function of the model, its
 * number in the tree + 1, or 0; the caller frees the array and out->all in
 * either case.  Returns 0 or -ENOMEM.
 */
int html_tree_add(struct html_tree *t, struct sample_paths *in,
    struct html_tree_samples *out, uint32_t **numbers);

#endif

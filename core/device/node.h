/* Context: O.  The files of a device, by name. */
#ifndef NODE_H
#define NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_kind {
	NODE_TOP,		/* directories: of all, or of a process ... */
	NODE_PIDS,		/* ... of these ... */
	NODE_MODULE,		/* ... of a module */
	NODE_CTL,
	NODE_STATUS,
	NODE_NAME,
	NODE_PATH,
	NODE_PCTL,
	NODE_HISTOGRAM,
	NODE_TIMES,
	NODE_LINES,
	NODE_FOLDED,
	NODE_PPROF,
	NODE_MEMORY,
	NODE_HEAP,
	NODE_KINDS,
};

struct node {
	enum node_kind kind;
	int32_t pid;		/* 0 = of all processes */
	uint32_t module;	/* its number; 0 = of all that are selected */
};

/* False: nothing can have that path.  Whether it is there is another matter. */
bool node_parse(struct node *n, const char *path);

/* The files in such a directory, in order; NULL behind the last. */
const char *node_leaf(enum node_kind directory, size_t i);

bool node_is_directory(enum node_kind kind);
bool node_is_written(enum node_kind kind);	/* ctl, pctl */
bool node_is_read(enum node_kind kind);

/* Of a module's directory, as the classic device has it. */
#define NODE_MODULE_FORM "%08x"

#endif

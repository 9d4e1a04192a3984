/*
 * Context: O.  Tells blocks that the system's libraries allocate once and keep
 * on purpose from leaks.  For heap_summary.c alone: heap_known_find() before it
 * moves rows to the program, heap_known_take() when the rows have METRIC_LIVE,
 * then heap_known_print().
 */
#ifndef HEAP_KNOWN_H
#define HEAP_KNOWN_H

#include "base/model.h"

#include <stdio.h>

/* Who keeps them. */
enum heap_known_kind {
	/* libstdc++, as it is loaded: memory for exceptions without memory */
	HEAP_KNOWN_CXX,
	HEAP_KNOWN_STDIO,	/* libc: buffers of streams */
	HEAP_KNOWN_KINDS,
};

/* Live bytes and blocks of each kind. */
struct heap_known {
	uint8_t *kinds;		/* of each row; HEAP_KNOWN_KINDS: none */
	uint64_t bytes[HEAP_KNOWN_KINDS], blocks[HEAP_KNOWN_KINDS];
};

/*
 * Finds the rows of known blocks, by the functions that requested them: call it
 * before skip_allocators_libraries().  Needs names and stacks.  Returns 0 or
 * -ENOMEM; call heap_known_free() in either case.
 */
int heap_known_find(struct heap_known *k, struct model *m);

/*
 * Takes the known blocks out of the rows, whose metric is METRIC_LIVE, until
 * model_heap_set_metric() is called again, and adds them up in *k.  Call it
 * once.
 */
void heap_known_take(struct heap_known *k, struct model *m);

/* Prints a line for each kind of which there are blocks. */
void heap_known_print(FILE *out, const struct heap_known *k);

/* Frees what heap_known_find() made. */
void heap_known_free(struct heap_known *k);

#endif

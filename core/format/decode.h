/* Context: P.  Bounds-checked reading of a profile file held in memory. */
#ifndef DECODE_H
#define DECODE_H

#include "fault.h"
#include "format.h"

#include <stdbool.h>

/*
 * The bytes are a copy that nobody else writes (snapshot.h takes it).  Nothing
 * in them is trusted: every index is checked, every list and the tree are
 * visited at most once a record, so that no input can loop, recurse or read
 * outside.
 *
 * In a file that is not sealed, a link that leads out of the copy, or to a
 * record that is all zero there, ends its list (`cut` counts them); in a
 * sealed one it is a fault.
 */
struct decode {
	const unsigned char *bytes;
	size_t size;		/* the smaller of the copy's and header.used */
	bool sealed;
	struct format_header header;
	uint64_t since_mono;	/* moments up to it are not visited */
	uint64_t cut;
	unsigned char *seen;	/* a bit a unit: within a record met so far */
	unsigned char *listed;	/* a bit a unit: a module starts here */
};

/*
 * Checks the header, its texts and its lists.  0 or -errno; on failure *f says
 * what and where, and decode_close() is not needed.
 */
int decode_open(struct decode *d, const void *bytes, size_t size,
    struct fault *f);
void decode_close(struct decode *d);

/*
 * Each returns 1 and fills *out and *index, 0 at the end, -errno with *f set.
 * *index is the cursor: 0 to start, as often as wanted.
 */
int decode_module(const struct decode *d, uint32_t *index,
    struct format_module *out, struct fault *f);
int decode_thread(const struct decode *d, uint32_t *index,
    struct format_thread *out, struct fault *f);

int decode_alloc_thread(const struct decode *d, uint32_t *index,
    struct format_alloc_thread *out, struct fault *f);

/* What is there of the process's heap: 1, 0 nothing, -errno. */
int decode_memory(const struct decode *d, struct format_memory *out,
    struct fault *f);

/* The same of one that is there: header.memory, or header.maps. */
int decode_memory_at(const struct decode *d, uint32_t index,
    struct format_memory *out, struct fault *f);

/*
 * A borrowed text; *length its bytes.  NULL with *f set when out of bounds;
 * index 0, and in an unsealed file one out of the copy, give "" and length 0.
 * Many records may name one text: who copies texts, copies each index once.
 */
const char *decode_text(const struct decode *d, uint32_t index,
    uint32_t *length, struct fault *f);

/*
 * Visit every node below the root node `root` (not root itself), a parent
 * before its children.  The callback returns 0 to go on, else its value is
 * returned.  Once a root: a node met twice, also from two roots, is a fault.
 *
 * n->module is 0 or the index of a listed module; in a file that is not sealed
 * it can be one that is not listed, and then means an unknown module.
 */
typedef int decode_visit(void *arg, uint32_t index,
    const struct format_node *n);
int decode_tree(struct decode *d, uint32_t root, decode_visit *visit,
    void *arg, struct fault *f);

/* All of a node of kind FORMAT_HEAP that is being visited. */
void decode_heap(const struct decode *d, uint32_t index,
    struct format_heap *out);

/*
 * Visit every arc.  Its modules are as a node's.  The callback as above.
 */
typedef int decode_arc_visit(void *arg, uint32_t index,
    const struct format_arc *a);
int decode_arcs(struct decode *d, decode_arc_visit *visit, void *arg,
    struct fault *f);

/*
 * Visit every moment, those of a block in order, the newest block first.  In a
 * file that is not sealed its thread and node can be any.  The callback as
 * above.
 */
typedef int decode_tick_visit(void *arg, uint32_t thread,
    const struct format_logged_tick *m);
int decode_tick_log(const struct decode *d, decode_tick_visit *visit,
    void *arg, struct fault *f);

/* A place that has names, and what is inlined there. */
struct decode_place {
	uint32_t module;	/* as a node's */
	struct format_place place;
	const unsigned char *scopes;	/* for decode_scope() */
};

/* i is below p->place.scopes. */
struct format_scope decode_scope(const struct decode_place *p, uint32_t i);

/* Visit every place.  The callback as above. */
typedef int decode_place_visit(void *arg, const struct decode_place *p);
int decode_names(const struct decode *d, decode_place_visit *visit, void *arg,
    struct fault *f);

/*
 * Are all trees, arcs and moments whole?  After a 0 none of decode_tree(),
 * decode_arcs() and decode_tick_log() fails, so that who adds counts up adds
 * all of a file or nothing.  Marks and `cut` stay as they were.
 */
int decode_counts_check(struct decode *d, struct fault *f);

#endif

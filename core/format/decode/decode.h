/*
 * Context: P.  Bounds-checked reading of a profile file held in memory, for all
 * tools that read profiles: core/load opens it for the model, the reports of
 * core/view, core/control and the sampler; core/export embeds names.  It calls
 * calloc(3), so libmon.so does not use it.
 */
#ifndef DECODE_H
#define DECODE_H

#include "fault.h"
#include "format.h"

#include <stdbool.h>

/*
 * A profile that is being decoded.  `bytes` is a copy that no other process
 * writes (snapshot.h makes it).  The decoder trusts nothing in it: every index
 * is checked, and each record of a list or the tree is visited at most once, so
 * that no input can make the decoder loop, recurse or read outside the copy.
 *
 * In a file that is not sealed, a link that leads out of the copy, or to a
 * record that is all zero, ends its list, and `cut` counts it.  In a sealed
 * file such a link is a fault.
 */
struct decode {
	const unsigned char *bytes;
	size_t size;		/* smaller of the copy's size and header.used */
	bool sealed;
	struct format_header header;
	/* ns, CLOCK_MONOTONIC: logged ticks up to it are not visited */
	uint64_t since_mono;
	uint64_t cut;	/* truncated records, and links that do not hold */
	unsigned char *seen;	/* bit map: units of records met so far */
	unsigned char *listed;	/* bit map: units at which a module starts */
};

/*
 * Opens the copy of a profile for decoding: checks the header, its texts and
 * its lists.  Subtract the baseline before (baseline.h).  `bytes` must stay
 * until decode_close().  Returns 0, or -errno with *f set; after a failure
 * decode_close() is not needed.
 */
int decode_open(struct decode *d, const void *bytes, size_t size,
    struct fault *f);
/* Releases what decode_open() allocated.  The bytes remain the caller's. */
void decode_close(struct decode *d);

/*
 * Returns the next module or thread, newest first.  *index is the cursor and
 * the index of the record: 0 starts a list, as often as the caller wants.
 * Returns 1 with *out and *index set, 0 at the end, -errno with *f set.
 */
int decode_module(const struct decode *d, uint32_t *index,
    struct format_module *out, struct fault *f);
int decode_thread(const struct decode *d, uint32_t *index,
    struct format_thread *out, struct fault *f);

/*
 * Returns the next allocation thread record, as decode_thread() returns a
 * thread.
 */
int decode_alloc_thread(const struct decode *d, uint32_t *index,
    struct format_alloc_thread *out, struct fault *f);

/*
 * Reads the process-wide record of the heap, header.memory.  Returns 1 with
 * *out set; 0 if it is missing or truncated; -errno with *f set.
 */
int decode_memory(const struct decode *d, struct format_memory *out,
    struct fault *f);

/*
 * Reads the record of the heap at `index`, which is header.memory (blocks) or
 * header.maps (mappings).  Returns as decode_memory().
 */
int decode_memory_at(const struct decode *d, uint32_t index,
    struct format_memory *out, struct fault *f);

/*
 * Returns the text at `index`, borrowed from the copy and not ended by NUL, and
 * stores the number of its bytes in *length.  Returns NULL with *f set if the
 * text is out of bounds.  For index 0, and in a file that is not sealed for a
 * text that the copy does not hold whole, returns "" with *length 0.  Many
 * records may name one text: a caller that copies texts should copy each index
 * once.
 */
const char *decode_text(const struct decode *d, uint32_t index,
    uint32_t *length, struct fault *f);

/*
 * Visits every node below the root node `root`, but not the root itself; a
 * parent comes before its children.  `visit` is called with `arg`, the node's
 * index and the node; it returns 0 to go on, any other value ends the visit.
 * Returns 0, the value of `visit`, or -errno with *f set.  Visit a root only
 * once: a node that is met twice, also from two roots, is a fault.
 *
 * n->module is 0 or the index of a listed module.  In a file that is not sealed
 * it may be the index of a module that is not listed, and then means an unknown
 * module.
 */
typedef int decode_visit(void *arg, uint32_t index,
    const struct format_node *n);
int decode_tree(struct decode *d, uint32_t root, decode_visit *visit,
    void *arg, struct fault *f);

/*
 * Copies the whole record of the node at `index`, of kind FORMAT_HEAP or
 * FORMAT_MAP, to *out.  Only for an index that a decode_visit is being called
 * with, as it is not checked here.
 */
void decode_heap(const struct decode *d, uint32_t index,
    struct format_heap *out);

/*
 * Visits every arc, with `visit` and the result as decode_tree() has them;
 * `index` is the arc's own offset / 16.  The modules of an arc are as those of
 * a node.
 */
typedef int decode_arc_visit(void *arg, uint32_t index,
    const struct format_arc *a);
int decode_arcs(struct decode *d, decode_arc_visit *visit, void *arg,
    struct fault *f);

/*
 * Visits the logged ticks after the baseline (d->since_mono): the newest block
 * first, the ticks of a block in order.  A block ends at its first tick whose
 * `mono` is 0, which is not written yet.  `visit` and the result are as those
 * of decode_tree().  Thread and node of a tick are not checked here: they may
 * be any number, unless the file is sealed and decode_counts_check() has
 * returned 0.
 */
typedef int decode_tick_visit(void *arg, uint32_t thread,
    const struct format_logged_tick *m);
int decode_tick_log(const struct decode *d, decode_tick_visit *visit,
    void *arg, struct fault *f);

/* An address with its names, and the functions that are inlined there. */
struct decode_place {
	uint32_t module;	/* as the module of a node */
	struct format_place place;
	const unsigned char *scopes;	/* borrowed; read with decode_scope() */
};

/* Returns scope `i` of a place; i is less than p->place.scopes. */
struct format_scope decode_scope(const struct decode_place *p, uint32_t i);

/*
 * Visits every place that has names.  `visit` and the result are as those of
 * decode_tree().
 */
typedef int decode_place_visit(void *arg, const struct decode_place *p);
int decode_names(const struct decode *d, decode_place_visit *visit, void *arg,
    struct fault *f);

/*
 * Checks that all trees and arcs are whole and, in a sealed file, that logged
 * ticks name nodes and threads of it.  If it returns 0, none of decode_tree(),
 * decode_arcs() and decode_tick_log() fails afterwards, so a caller that adds
 * counts adds all of a file or nothing.  Marks and `cut` are left unchanged.
 * Returns 0 or -errno with *f set.
 */
int decode_counts_check(struct decode *d, struct fault *f);

#endif

/*
 * Context: S.  The calling-context tree in the profile file: finds, makes and
 * counts its nodes.  Used for samples and their callers (sample_node.c,
 * tick_path.c), for the call paths of allocations (core/hot/heap_paths), and by
 * whoever makes a record of a thread.  Any thread and any signal handler may
 * call it, also in a frozen process, where no new lookup table is made.  The
 * store must be ready, but for cct_reserve() and cct_reset().
 */
#ifndef CCT_H
#define CCT_H

#include "base/state.h"

/*
 * Returns the node below the node with index `parent` that has this kind,
 * module (index of its record) and address.  Makes it if there is none.
 * Returns NULL if there is no room; store_refusal_loss() says as which loss the
 * caller counts that.  Lock-free; any number of threads and signal handlers may
 * call it at once.
 */
struct format_node *cct_find_or_add(uint32_t parent, uint32_t kind,
    uint32_t module, uint64_t address);

/*
 * Returns the index of the node with that key in the store mapped at `base`, or
 * 0 if the lookup tables do not have it; makes no node.  base: a signal handler
 * may fork in the middle of this call, and the child may have another store;
 * then the lookup tables are not those of `base`, and the node of the old store
 * must not get into them.
 */
uint32_t cct_find(const unsigned char *base, uint32_t parent, uint32_t kind,
    uint32_t module, uint64_t address);

/*
 * Makes now the lookup table that `nodes` more nodes will need.  The thread
 * that is about to freeze the process calls it, because later no system call
 * may be made.
 */
void cct_reserve(uint32_t nodes);

/*
 * Makes a root node and returns its index, or 0 if there is no room.  The
 * caller writes the index into a record of a thread or of an allocation thread.
 */
uint32_t cct_add_root(void);

/*
 * Notes in the node whether its module is known.  If it is not, marks the node
 * as unmapped, unless the node has counts or children.  If it is known, takes
 * that mark off: a place in new memory is not known until the map has been read
 * again.
 */
void cct_mark(struct format_node *n, bool known);

/* Returns the index of a node. */
uint32_t cct_index(const struct format_node *n);

/* Adds a count and a weight in ns to a node. */
void cct_count(struct format_node *n, uint64_t count, uint64_t ns);

/*
 * Forgets the lookup tables, because another file begins.  The thread that
 * makes the store calls it.
 */
void cct_reset(void);

#endif

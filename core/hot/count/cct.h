/* Context: S.  The calling-context tree in the profile file. */
#ifndef CCT_H
#define CCT_H

#include "base/state.h"

/*
 * The node below `parent` with this key, made when it is not there.  NULL: no
 * room, the loss is counted.  Lock-free; any number of threads and handlers at
 * once.
 */
struct format_node *cct_find_or_add(uint32_t parent, uint32_t kind,
    uint32_t module, uint64_t address);

/*
 * The same in the store at `base`, where it is not to be made.  Its index; 0:
 * the tables have none.  A handler may fork amid this, and the child have
 * another store: then it is none of its tables', and they get none of it.
 */
uint32_t cct_find(const unsigned char *base, uint32_t parent, uint32_t kind,
    uint32_t module, uint64_t address);

/* Make now the lookup table that so many more nodes will want. */
void cct_reserve(uint32_t nodes);

/* A root for a thread; its index, 0 when there is no room. */
uint32_t cct_add_root(void);

/* Of a place in new memory, the map tells a moment later what it is. */
void cct_mark(struct format_node *n, bool known);

uint32_t cct_index(const struct format_node *n);

void cct_count(struct format_node *n, uint64_t count, uint64_t ns);

/* Forget the lookup tables: another file begins. */
void cct_reset(void);

#endif

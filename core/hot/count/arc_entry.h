/*
 * Context: S.  Entries of a shard: where they lie.  arc_shard.c and
 * thread_arcs.c know them, and the stubs.
 */
#ifndef ARC_ENTRY_H
#define ARC_ENTRY_H

#include "count/arc_shard.h"

/*
 * places of a hash; that many entries follow the last one, so that probing
 * never wraps
 */
#define ARC_SHARD_PROBES		16u
/* `self` of a removed entry; probing goes on past it */
#define ARC_SHARD_REMOVED	ARC_SHARD_NO_ADDRESS

/* An arc of a shard. */
struct arc_entry {
	/* 0 free, ARC_SHARD_REMOVED removed, else a complete entry */
	uintptr_t self;
	uintptr_t from;
	struct format_arc *arc;
	/* counter for the stubs: the arc's, or t->unwanted */
	uint64_t *count;
};

/* The stubs in core/arch/CPU/mcount.S know these. */
_Static_assert(offsetof(struct arc_shard, mask) == 0, "for stubs");
_Static_assert(sizeof(struct arc_shard) == 64, "for stubs");
_Static_assert(sizeof(struct arc_entry) == 32, "for stubs");
_Static_assert(offsetof(struct arc_entry, count) == 24, "for stubs");

/*
 * arc_shard_entries() returns the entries of a shard, arc_shard_capacity()
 * their number without those behind the last place of a hash, and
 * arc_shard_mask() the mask for n of them.
 */
static inline struct arc_entry *
arc_shard_entries(struct arc_shard *t)
{
	return (struct arc_entry *)(t + 1);
}

static inline uint64_t
arc_shard_capacity(const struct arc_shard *t)
{
	return t->mask / sizeof(struct arc_entry) + 1;
}

static inline uint64_t
arc_shard_mask(uint64_t n)
{
	return (n - 1) * sizeof(struct arc_entry);
}

/*
 * Returns a place for a new entry, or NULL if there is none.  The caller has
 * claimed the shard.  A removed entry is used only if no other place is free,
 * because its arc may come back.
 */
struct arc_entry *arc_shard_free_entry(struct arc_shard *t, uintptr_t self,
    uintptr_t from);

#endif

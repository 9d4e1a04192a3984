/*
 * Context: S.  Counts a sample at a node, for record.c alone; sample_node.h
 * says what must hold.
 */
#include "count/sample_node.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "clock/tick_log.h"
#include "count/cct.h"
#include "store/store.h"

void
sample_node_count(struct thread_slot *s, struct format_node *node, uint64_t n,
    uint64_t ns)
{
	struct format_thread *t = store_at(s->records.thread);

	cct_count(node, n, ns);
	if (config.log)
		tick_log_add(s, cct_index(node), ns, n == 0);
	__atomic_fetch_add(&t->ticks, n, __ATOMIC_RELAXED);
}

uint32_t
sample_node_add(struct thread_slot *s, uint32_t parent, uint32_t kind,
    const struct module_hit *hit, uint64_t n, uint64_t ns)
{
	struct format_node *node;

	/* Index 0 is the header: there was no room for a caller. */
	node = parent == 0 ? NULL :
	    cct_find_or_add(parent, kind, hit->record, hit->address);
	if (node == NULL) {
		loss_count(store_refusal_loss(), n);
		return 0;
	}
	if (!hit->known && !hit->unrecorded)
		loss_count(LOSS_PC_UNKNOWN, 1);
	cct_mark(node, hit->known);
	sample_node_count(s, node, n, ns);
	return cct_index(node);
}

bool
sample_node_if_paused(struct thread_slot *s, uint64_t n, uint64_t ns)
{
	const struct module_hit nowhere = { .known = true };

	if (!lineage_is_paused(LINEAGE_PAUSED))
		return false;
	sample_node_add(s, s->records.root, FORMAT_PAUSED, &nowhere, n, ns);
	return true;
}

bool
sample_node_if_unwatched(struct thread_slot *s, const struct module_hit *hit,
    bool asleep, uint64_t n, uint64_t ns)
{
	const struct module_hit nowhere = { .address = asleep, .known = true };

	if (hit->watched)
		return false;
	sample_node_add(s, s->records.root, FORMAT_UNWATCHED, &nowhere, n, ns);
	return true;
}

void
sample_node_weigh(uint64_t ns, uint64_t *part)
{
	struct format_header *h = store_header();
	const uint64_t us = ns / 1000;

	__atomic_fetch_add(&h->sample_ns, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&h->sample_squares, us * us, __ATOMIC_RELAXED);
	if (part != NULL)
		__atomic_fetch_add(part, ns, __ATOMIC_RELAXED);
}

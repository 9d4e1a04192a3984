/*
 * Context: P.  Checks and walks lists of blocks in a profile, for decode_arcs.c
 * and decode_tick_log.c; see decode_block.h.
 */
#include "decode/decode_block.h"

#include "decode/decode_index.h"

#include <string.h>

/* Returns the number of items that the block says it has room for. */
static uint32_t
read_room(const struct decode *d, uint32_t index,
    const struct decode_block *kind)
{
	uint32_t room;

	memcpy(&room, d->bytes + decode_index_offset(index) + kind->room,
	    sizeof(room));
	return room;
}

/* Returns the number of items that the block has in the data. */
static uint32_t
items_in_data(const struct decode *d, uint32_t index,
    const struct decode_block *kind)
{
	const uint32_t room = read_room(d, index, kind);
	const uint64_t bytes = d->size - decode_index_offset(index) -
	    kind->head;

	return room <= bytes / kind->item ? room :
	    (uint32_t)(bytes / kind->item);
}

int
decode_block_check(struct decode *d, uint32_t index,
    const struct decode_block *kind, uint32_t *count, struct fault *f)
{
	const uint32_t room = read_room(d, index, kind);

	*count = items_in_data(d, index, kind);
	if (*count < room && d->sealed)
		return fault_set(f, kind->too_long,
		    decode_index_offset(index) + kind->room, 0);
	d->cut += *count < room;
	return 0;
}

int
decode_block_next(const struct decode *d, uint32_t list,
    const struct decode_block *kind, struct decode_block_items *items,
    void *head, struct fault *f)
{
	const int got = decode_index_next(d, list, &items->index, head,
	    kind->head, f);

	if (got != 1)
		return got;
	items->left = items_in_data(d, items->index, kind);
	items->at = decode_index_offset(items->index) + kind->head;
	return 1;
}

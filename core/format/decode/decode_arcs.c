/* Context: P.  Checks and visits the blocks of arcs in a profile. */
#include "decode/decode_arcs.h"

#include "decode/decode_index.h"

#include <string.h>

/*
 * Returns the number of arcs in a block: as many as it says, but in a truncated
 * file no more than are there.
 */
static uint32_t
arcs_in_block(const struct decode *d, uint32_t index, uint32_t room)
{
	uint64_t bytes = d->size - decode_index_offset(index) -
	    sizeof(struct format_arcs);

	return room <= bytes / sizeof(struct format_arc) ? room :
	    (uint32_t)(bytes / sizeof(struct format_arc));
}

int
decode_arcs_check(struct decode *d, uint32_t index, struct fault *f)
{
	uint64_t at = decode_index_offset(index) + offsetof(struct format_arcs,
	    room);
	uint32_t room, there;

	memcpy(&room, d->bytes + at, sizeof room);
	there = arcs_in_block(d, index, room);
	if (there < room && d->sealed)
		return fault_set(f, "a block of arcs is longer than the data",
		    at, 0);
	d->cut += there < room;
	return decode_index_claim(d, at, index +
	    (uint32_t)(sizeof(struct format_arcs) / FORMAT_UNIT),
	    there * sizeof(struct format_arc), f);
}

static int
claim_arc(struct decode *d, uint64_t at, struct format_arc *a, struct fault *f)
{
	int error;

	memcpy(a, d->bytes + at, sizeof *a);
	if (a->self == 0)
		return 0;
	error = decode_index_check_module(d, at + offsetof(struct format_arc,
	    self_module), a->self_module, f);
	if (error == 0)
		error = decode_index_check_module(d, at +
		    offsetof(struct format_arc, from_module), a->from_module,
		    f);
	return error;
}

int
decode_arcs(struct decode *d, decode_arc_visit *visit, void *arg,
    struct fault *f)
{
	struct format_arcs block;
	struct format_arc a;
	uint32_t index = 0;
	int got;

	while ((got = decode_index_next(d, d->header.arcs, &index, &block,
	    sizeof block, f)) == 1) {
		uint64_t at = decode_index_offset(index) + sizeof block;
		uint32_t left = arcs_in_block(d, index, block.room);

		for (; left > 0; left--, at += sizeof a) {
			got = claim_arc(d, at, &a, f);
			if (got == 0 && a.self != 0)
				got = visit(arg, (uint32_t)(at / FORMAT_UNIT),
				    &a);
			if (got != 0)
				return got;
		}
	}
	return got;
}

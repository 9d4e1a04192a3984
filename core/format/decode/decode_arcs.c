/*
 * Context: P.  Checks and visits the blocks of arcs in a profile: for
 * decode_open(), and as decode_arcs() for the readers; see decode.h.
 */
#include "decode/decode_arcs.h"

#include "decode/decode_block.h"
#include "decode/decode_index.h"

#include <string.h>

static const struct decode_block arcs = {
	.head = sizeof(struct format_arcs),
	.item = sizeof(struct format_arc),
	.room = offsetof(struct format_arcs, room),
	.too_long = "a block of arcs is longer than the data",
};

int
decode_arcs_check(struct decode *d, uint32_t index, struct fault *f)
{
	uint32_t count;
	const int ret = decode_block_check(d, index, &arcs, &count, f);

	return ret != 0 ? ret : decode_index_claim(d,
	    decode_index_offset(index) + arcs.room, index +
	    (uint32_t)(arcs.head / FORMAT_UNIT), count * arcs.item, f);
}

/*
 * Copies an arc and checks its modules; an arc that does not exist has self 0.
 * Returns 0, or -errno with *f set.
 */
static int
claim_arc(struct decode *d, uint64_t at, struct format_arc *a, struct fault *f)
{
	int error;

	memcpy(a, d->bytes + at, sizeof(*a));
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
	struct decode_block_items items = { .index = 0 };
	struct format_arcs block;
	struct format_arc a;
	int got;

	while ((got = decode_block_next(d, d->header.arcs, &arcs, &items,
	    &block, f)) == 1) {
		for (; items.left > 0; items.left--, items.at += sizeof(a)) {
			got = claim_arc(d, items.at, &a, f);
			if (got == 0 && a.self != 0)
				got = visit(arg,
				    (uint32_t)(items.at / FORMAT_UNIT), &a);
			if (got != 0)
				return got;
		}
	}
	return got;
}

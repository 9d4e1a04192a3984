/*
 * Context: P.  Checks the blocks of logged ticks in a profile, for
 * decode_open(), and visits their ticks, for decode_counts_check(), the model
 * and the sampler; see decode.h and decode_tick_log.h.
 */
#include "decode/decode_tick_log.h"

#include "decode/decode_block.h"
#include "decode/decode_index.h"

#include <string.h>

static const struct decode_block ticks = {
	.head = sizeof(struct format_tick_log),
	.item = sizeof(struct format_logged_tick),
	.room = offsetof(struct format_tick_log, room),
	.too_long = "a block of logged ticks is longer than the data",
};

int
decode_tick_log_check(struct decode *d, uint32_t index, struct fault *f)
{
	uint32_t count;
	const int ret = decode_block_check(d, index, &ticks, &count, f);

	return ret != 0 ? ret : decode_index_claim(d,
	    decode_index_offset(index), index +
	    (uint32_t)(ticks.head / FORMAT_UNIT), count * ticks.item, f);
}

int
decode_tick_log(const struct decode *d, decode_tick_visit *visit, void *arg,
    struct fault *f)
{
	struct decode_block_items items = { .index = 0 };
	struct format_tick_log block;
	struct format_logged_tick m;
	int got;

	while ((got = decode_block_next(d, d->header.moments, &ticks, &items,
	    &block, f)) == 1) {
		for (; items.left > 0; items.left--, items.at += sizeof(m)) {
			memcpy(&m, d->bytes + items.at, sizeof(m));
			if (m.mono == 0)
				break;
			got = m.mono <= d->since_mono ? 0 :
			    visit(arg, block.thread, &m);
			if (got != 0)
				return got;
		}
	}
	return got;
}

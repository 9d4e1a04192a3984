/* Context: P.  Checks and visits the blocks of logged ticks in a profile. */
#include "decode/decode_tick_log.h"

#include "decode/decode_index.h"

#include <string.h>

/*
 * Returns the number of ticks in a block: as many as it says, but in a
 * truncated file no more than are there.
 */
static uint32_t
ticks_in_block(const struct decode *d, uint32_t index, uint32_t room)
{
	uint64_t bytes = d->size - decode_index_offset(index) -
	    sizeof(struct format_tick_log);

	return room <= bytes / sizeof(struct format_logged_tick) ? room :
	    (uint32_t)(bytes / sizeof(struct format_logged_tick));
}

int
decode_tick_log_check(struct decode *d, uint32_t index, struct fault *f)
{
	uint64_t at = decode_index_offset(index);
	struct format_tick_log block;
	uint32_t there;

	memcpy(&block, d->bytes + at, sizeof block);
	there = ticks_in_block(d, index, block.room);
	if (there < block.room && d->sealed)
		return fault_set(f, "a block of moments is longer than the "
		    "data", at + offsetof(struct format_tick_log, room), 0);
	d->cut += there < block.room;
	return decode_index_claim(d, at, index + (uint32_t)(sizeof block /
	    FORMAT_UNIT), there * sizeof(struct format_logged_tick), f);
}

int
decode_tick_log(const struct decode *d, decode_tick_visit *visit, void *arg,
    struct fault *f)
{
	struct format_tick_log block;
	struct format_logged_tick m;
	uint32_t index = 0;
	int got;

	while ((got = decode_index_next(d, d->header.moments, &index, &block,
	    sizeof block, f)) == 1) {
		const unsigned char *at =
		    d->bytes + decode_index_offset(index) + sizeof block;
		uint32_t left = ticks_in_block(d, index, block.room);

		for (; left > 0; left--, at += sizeof m) {
			memcpy(&m, at, sizeof m);
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

/* Context: P.  Blocks of moments in a profile file. */
#include "moments.h"

#include "link.h"

#include <string.h>

/* A block is as long as it says, or in a cut file as far as there is any. */
static uint32_t
moments_room(const struct decode *d, uint32_t index, uint32_t room)
{
	uint64_t bytes = d->size - link_offset(index) -
	    sizeof(struct format_moments);

	return room <= bytes / sizeof(struct format_moment) ? room :
	    (uint32_t)(bytes / sizeof(struct format_moment));
}

int
moments_check(struct decode *d, uint32_t index, struct fault *f)
{
	uint64_t at = link_offset(index);
	struct format_moments block;
	uint32_t there;

	memcpy(&block, d->bytes + at, sizeof block);
	there = moments_room(d, index, block.room);
	if (there < block.room && d->sealed)
		return fault_set(f, "a block of moments is longer than the "
		    "data", at + offsetof(struct format_moments, room), 0);
	d->cut += there < block.room;
	return link_claim(d, at, index + (uint32_t)(sizeof block /
	    FORMAT_UNIT), there * sizeof(struct format_moment), f);
}

int
decode_moments(const struct decode *d, decode_moment_visit *visit, void *arg,
    struct fault *f)
{
	struct format_moments block;
	struct format_moment m;
	uint32_t index = 0;
	int got;

	while ((got = link_next(d, d->header.moments, &index, &block,
	    sizeof block, f)) == 1) {
		const unsigned char *at = d->bytes + link_offset(index) +
		    sizeof block;
		uint32_t left = moments_room(d, index, block.room);

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

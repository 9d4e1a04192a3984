/*
 * Context: P.  Reader of gmon.out of GNU, and of the related file that
 * LD_PROFILE writes, for the table in classic.c.  The layout is in gmon.h.
 */
#include "classic/gmon.h"

#include <string.h>

static bool
gmon_is_version(const struct classic *c, uint32_t version)
{
	return bytes_has(&c->bytes, 0, GMON_HEADER) &&
	    memcmp(c->bytes.at, GMON_MAGIC, 4) == 0 &&
	    bytes_get(&c->bytes, 4, 4) == version;
}

bool
gmon_is(const struct classic *c)
{
	return gmon_is_version(c, GMON_VERSION);
}

bool
gmon_is_sprof(const struct classic *c)
{
	return gmon_is_version(c, GMON_SPROF);
}

/* Reads a histogram at *offset, behind its tag, and moves *offset behind it. */
static int
gmon_hist(const struct classic *c, uint64_t *offset, struct classic_range *r,
    struct fault *f)
{
	const struct bytes *b = &c->bytes;
	const unsigned w = classic_width(c);
	const uint64_t at = *offset;
	int ret;

	if (!bytes_has(b, at, 2 * w + 8 + GMON_DIMENSION + 1))
		return fault_set(f, "a histogram is cut short", b->size, 0);
	*r = (struct classic_range) {
		.low = bytes_get(b, at, w),
		.high = bytes_get(b, at + w, w),
		.bins = bytes_get(b, at + 2 * w, 4),
		.rate = (uint32_t)bytes_get(b, at + 2 * w + 4, 4),
		.offset = at + 2 * w + 8 + GMON_DIMENSION + 1,
	};
	ret = classic_range_check(c, r, at, f);
	if (ret != 0)
		return ret;
	if (memcmp(b->at + at + 2 * w + 8, "seconds", 7) != 0) {
		ret = fault_set(f, "it does not count seconds", at + 2 * w + 8,
		    0);
		f->remedy = "show it with gprof";
		return ret;
	}
	if (r->rate == 0 || r->rate > INT32_MAX)
		return fault_set(f, "the rate is 0", at + 2 * w + 4, 0);
	*offset = r->offset + 2 * r->bins;
	return 0;
}

/*
 * Reads an arc at *offset, behind its tag, hands it out, and moves *offset
 * behind it.  Returns 0, what the sink returned, or -EINVAL with *f set.
 */
static int
gmon_arc(const struct classic *c, uint64_t *offset,
    const struct classic_sink *sink, struct fault *f)
{
	const struct bytes *b = &c->bytes;
	const unsigned w = classic_width(c);
	struct classic_arc arc = { .offset = *offset, .caller = true };

	if (!bytes_has(b, *offset, 2 * w + 4))
		return fault_set(f, "an arc is cut short", b->size, 0);
	arc.from = bytes_get(b, *offset, w);
	arc.self = bytes_get(b, *offset + w, w);
	arc.count = bytes_get(b, *offset + 2 * w, 4);
	*offset += 2 * w + 4;
	return sink == NULL || arc.count == 0 ? 0 : sink->arc(sink->arg, &arc);
}

/*
 * Returns whether counts of basic blocks, whose number has `width` bytes, end
 * at *end, where a record or the end of the file follows.
 */
static bool
gmon_blocks_fit(const struct classic *c, uint64_t at, unsigned width,
    uint64_t *end)
{
	const struct bytes *b = &c->bytes;
	const unsigned pair = 2 * classic_width(c);
	uint64_t count;

	if (!bytes_has(b, at, width))
		return false;
	count = bytes_get(b, at, width);
	if (count > b->size / pair ||
	    !bytes_has(b, at + width, count * pair))
		return false;
	*end = at + width + count * pair;
	return *end == b->size || b->at[*end] <= GMON_BLOCKS;
}

/*
 * Skips counts of basic blocks.  glibc writes their number as a long, gprof
 * reads and writes it as an int; the size that leads to a record is taken.
 */
static int
gmon_blocks(const struct classic *c, uint64_t *offset, struct fault *f)
{
	if (gmon_blocks_fit(c, *offset, classic_width(c), offset) ||
	    gmon_blocks_fit(c, *offset, 4, offset))
		return 0;
	return fault_set(f, "counts of basic blocks are cut short", *offset, 0);
}

/*
 * Reads the record at *offset, and moves *offset behind it.  sink NULL: only
 * checks it.  Returns as classic_read().
 */
static int
gmon_record(const struct classic *c, uint64_t *offset,
    const struct classic_sink *sink, struct fault *f)
{
	unsigned char tag = c->bytes.at[*offset];
	struct classic_range r;
	int ret;

	if (tag > GMON_BLOCKS)
		return fault_set(f, "there is no such record", *offset, 0);
	++*offset;
	if (tag == GMON_ARC)
		return gmon_arc(c, offset, sink, f);
	if (tag == GMON_BLOCKS)
		return gmon_blocks(c, offset, f);
	ret = gmon_hist(c, offset, &r, f);
	return ret != 0 || sink == NULL ? ret :
	    classic_range_read(c, &r, sink);
}

int
gmon_read(const struct classic *c, const struct classic_sink *sink,
    struct fault *f)
{
	uint64_t offset = GMON_HEADER;
	int ret = 0;

	while (offset < c->bytes.size && ret == 0)
		ret = gmon_record(c, &offset, sink, f);
	return ret;
}

uint64_t
gmon_whole(const struct classic *c)
{
	uint64_t offset = GMON_HEADER, whole = 0;
	struct fault f;

	while (offset < c->bytes.size &&
	    gmon_record(c, &offset, NULL, &f) == 0)
		whole = offset;
	return whole;
}

/*
 * Hands out the arcs.  Their addresses are relative to the range; `from` is 0
 * for a caller in another object.
 */
static int
gmon_sprof_arcs(const struct classic *c, uint64_t at, uint64_t count,
    uint64_t low, const struct classic_sink *sink)
{
	const unsigned w = classic_width(c);
	int ret = 0;

	for (uint64_t i = 0; i < count && ret == 0; i++) {
		struct classic_arc arc = {
			.offset = at + i * (2 * w + 4),
			.caller = true,
		};

		arc.from = bytes_get(&c->bytes, arc.offset, w);
		arc.outside = arc.from == 0;
		arc.from += low;
		arc.self = bytes_get(&c->bytes, arc.offset + w, w) + low;
		arc.count = bytes_get(&c->bytes, arc.offset + 2 * w, 4);
		if (arc.count != 0)
			ret = sink->arc(sink->arg, &arc);
	}
	return ret;
}

/*
 * Reads the file of LD_PROFILE, which is made at its full length and filled
 * while the program runs: header, u32 0, histogram, u32 1, u32 number of arcs
 * in use, then room for more.  Source: glibc elf/dl-profile.c, read in 2.42.
 */
int
gmon_read_sprof(const struct classic *c, const struct classic_sink *sink,
    struct fault *f)
{
	const struct bytes *b = &c->bytes;
	const unsigned each = 2 * classic_width(c) + 4;
	uint64_t at = GMON_HEADER + 4, count;
	struct classic_range r;
	int ret;

	if (!bytes_has(b, GMON_HEADER, 4) ||
	    bytes_get(b, GMON_HEADER, 4) != GMON_HIST)
		return fault_set(f, "the histogram is missing", GMON_HEADER, 0);
	ret = gmon_hist(c, &at, &r, f);
	if (ret != 0)
		return ret;
	if (!bytes_has(b, at, 8) || bytes_get(b, at, 4) != GMON_ARC)
		return fault_set(f, "the arcs are missing", at, 0);
	count = bytes_get(b, at + 4, 4);
	if (!bytes_has(b, at + 8, count * each))
		return fault_set(f, "arcs are cut short", at + 4, 0);
	if (sink == NULL)
		return 0;
	ret = classic_range_read(c, &r, sink);
	return ret != 0 ? ret :
	    gmon_sprof_arcs(c, at + 8, count, r.low, sink);
}

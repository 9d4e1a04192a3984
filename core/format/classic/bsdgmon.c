/*
 * Context: P.  Reader of gmon.out of the BSDs, for the table in classic.c.  The
 * layout is in bsdgmon.h.
 */
#include "classic/bsdgmon.h"

#include <errno.h>

static unsigned
bsdgmon_header(const struct classic *c)
{
	return 2 * classic_width(c) + 24;
}

/*
 * Returns the bytes of a header from before 4.4BSD.  Compilers of 64-bit
 * systems round it up to 24 bytes, and gprof takes it for 20 on most of them.
 */
static unsigned
bsdgmon_header_old(const struct classic *c, bool rounded)
{
	return 2 * classic_width(c) + (rounded && c->wide ? 8 : 4);
}

static unsigned
bsdgmon_arc_bytes(const struct classic *c)
{
	return 3 * classic_width(c);
}

/*
 * Reads and checks the range of the bins behind a header of `header` bytes, and
 * that whole arcs follow.  Returns 0, or -EINVAL with *f set.
 */
static int
bsdgmon_range(const struct classic *c, unsigned header, struct classic_range *r,
    struct fault *f)
{
	const struct bytes *b = &c->bytes;
	const unsigned w = classic_width(c);
	uint64_t bytes;
	int ret;

	if (!bytes_has(b, 0, header))
		return fault_set(f, "gmon.out is cut short", b->size, 0);
	bytes = bytes_get(b, 2 * w, 4);
	if (bytes < header || bytes > INT32_MAX || bytes % 2 != 0)
		return fault_set(f, "the length of the bins is 0", 2 * w, 0);
	*r = (struct classic_range) {
		.low = bytes_get(b, 0, w),
		.high = bytes_get(b, w, w),
		.bins = (bytes - header) / 2,
		.offset = header,
	};
	ret = classic_range_check(c, r, 0, f);
	if (ret == 0 && (b->size - bytes) % bsdgmon_arc_bytes(c) != 0)
		ret = fault_set(f, "an arc is cut short", b->size, 0);
	return ret;
}

/*
 * Hands out the arcs from offset `at` to the end.  Returns 0, or what the sink
 * returned.
 */
static int
bsdgmon_arcs(const struct classic *c, uint64_t at,
    const struct classic_sink *sink)
{
	const unsigned w = classic_width(c);
	int ret = 0;

	for (; at < c->bytes.size && ret == 0; at += bsdgmon_arc_bytes(c)) {
		struct classic_arc arc = {
			.from = bytes_get(&c->bytes, at, w),
			.self = bytes_get(&c->bytes, at + w, w),
			.count = bytes_get(&c->bytes, at + 2 * w, w),
			.offset = at,
			.caller = true,
		};

		if (arc.count != 0)
			ret = sink->arc(sink->arg, &arc);
	}
	return ret;
}

static int
bsdgmon_parts(const struct classic *c, const struct classic_range *r,
    const struct classic_sink *sink)
{
	int ret = classic_range_read(c, r, sink);

	return ret != 0 ? ret :
	    bsdgmon_arcs(c, r->offset + 2 * r->bins, sink);
}

bool
bsdgmon_is(const struct classic *c)
{
	return bytes_has(&c->bytes, 0, bsdgmon_header(c)) &&
	    bytes_get(&c->bytes, 2 * classic_width(c) + 4, 4) ==
	    BSDGMON_VERSION;
}

/*
 * Returns the bytes up to the last whole arc, or 0 if the histogram is
 * truncated.
 */
uint64_t
bsdgmon_whole(const struct classic *c)
{
	const uint64_t bytes = !bsdgmon_is(c) ? 0 :
	    bytes_get(&c->bytes, 2 * classic_width(c), 4);

	return bytes < bsdgmon_header(c) || bytes > c->bytes.size ? 0 :
	    c->bytes.size - (c->bytes.size - bytes) % bsdgmon_arc_bytes(c);
}

int
bsdgmon_read(const struct classic *c, const struct classic_sink *sink,
    struct fault *f)
{
	const unsigned rate = 2 * classic_width(c) + 8, kind = rate + 4;
	struct classic_range r;
	int ret = bsdgmon_range(c, bsdgmon_header(c), &r, f);
	uint32_t bits;

	if (ret != 0)
		return ret;
	/*
	 * The kind of histogram is FreeBSD's field: negative where bins are
	 * signed; its kernels have bins of 64 bits.
	 */
	bits = (uint32_t)bytes_get(&c->bytes, kind, 4);
	if (bits != 0 && bits != 16)
		return fault_set(f, "bins are not of 16 bits", kind, 0);
	r.rate = (uint32_t)bytes_get(&c->bytes, rate, 4);
	if (r.rate == 0 || r.rate > INT32_MAX)
		return fault_set(f, "the rate is 0", rate, 0);
	return sink == NULL ? 0 : bsdgmon_parts(c, &r, sink);
}

/*
 * Checks a file from before 4.4BSD.  It has no magic number; it is recognized
 * by everything in it being consistent: a bin for 4 bytes of the range
 * (HISTFRACTION 2 of the BSDs), whole arcs, and callees in the range.
 */
static int
bsdgmon_fit_old(const struct classic *c, bool rounded, struct classic_range *r,
    struct fault *f)
{
	const unsigned w = classic_width(c);
	int ret = bsdgmon_range(c, bsdgmon_header_old(c, rounded), r, f);
	uint64_t at;

	if (ret != 0)
		return ret;
	if (r->bins == 0 || r->high - r->low != 4 * r->bins)
		return fault_set(f, "bins are not of 4 bytes", 2 * w, 0);
	at = r->offset + 2 * r->bins;
	for (; at < c->bytes.size; at += bsdgmon_arc_bytes(c)) {
		uint64_t self = bytes_get(&c->bytes, at + w, w);

		if (self < r->low || self >= r->high)
			return fault_set(f, "a callee is out of range", at, 0);
	}
	return 0;
}

static int
bsdgmon_fit(const struct classic *c, struct classic_range *r, struct fault *f)
{
	int ret = bsdgmon_fit_old(c, true, r, f);

	return ret != 0 && c->wide ? bsdgmon_fit_old(c, false, r, f) : ret;
}

bool
bsdgmon_is_old(const struct classic *c)
{
	return bytes_has(&c->bytes, 0, bsdgmon_header_old(c, false));
}

bool
bsdgmon_is_cut_old(const struct classic *c)
{
	const unsigned w = classic_width(c);
	const struct classic_range r = {
		.low = bytes_get(&c->bytes, 0, w),
		.high = bytes_get(&c->bytes, w, w),
	};
	const uint64_t bytes = bytes_get(&c->bytes, 2 * w, 4);
	const uint64_t bins = (r.high - r.low) / 4 * 2;

	return classic_range_is_of_program(c, &r) &&
	    (bytes == bins + bsdgmon_header_old(c, true) ||
	    bytes == bins + bsdgmon_header_old(c, false)) &&
	    (bytes > c->bytes.size ||
	    (c->bytes.size - bytes) % bsdgmon_arc_bytes(c) != 0);
}

int
bsdgmon_read_old(const struct classic *c, const struct classic_sink *sink,
    struct fault *f)
{
	struct classic_range r;
	int ret = bsdgmon_fit(c, &r, f);

	return ret != 0 || sink == NULL ? ret : bsdgmon_parts(c, &r, sink);
}

/* Context: P.  Files of the classic profilers: which it is, what it counts. */
#include "classic.h"

#include "bsdgmon.h"
#include "gmon.h"
#include "monout.h"
#include "profout.h"

#include <errno.h>
#include <string.h>

/* Those with a magic number first; a range that fits is no proof. */
static const struct {
	const char *name;
	classic_is *is;
	classic_reader *read;
	bool magic;
} classic_kinds[CLASSIC_KINDS] = {
	[CLASSIC_GMON] = { "gmon.out (GNU)", gmon_is, gmon_read, true },
	[CLASSIC_SPROF] = { "profile of LD_PROFILE", gmon_is_sprof,
	    gmon_read_sprof, true },
	[CLASSIC_PROF] = { "mon.out (versioned)", profout_is, profout_read,
	    true },
	[CLASSIC_BSD] = { "gmon.out (4.4BSD)", bsdgmon_is, bsdgmon_read, true },
	[CLASSIC_BSD_OLD] = { "gmon.out (BSD)", bsdgmon_is_old,
	    bsdgmon_read_old, false },
	[CLASSIC_MONOUT] = { "mon.out", monout_is, monout_read, false },
};

const char *
classic_name(enum classic_kind kind)
{
	return classic_kinds[kind].name;
}

/*
 * In each layout.  Of several faults the one that is met last is of the right
 * layout: the wrong ones end early.  0, CLASSIC_OTHER or -EINVAL.
 */
static int
classic_try(struct classic *c, enum classic_kind kind, struct fault *f)
{
	const bool wide = c->wide, big = c->bytes.big;
	int ret = CLASSIC_OTHER;

	c->kind = kind;
	for (unsigned i = 0; i < 4; i++) {
		struct fault own = { 0 };

		c->wide = wide != ((i & 1) != 0);
		c->bytes.big = big != ((i & 2) != 0);
		if (!classic_kinds[kind].is(c))
			continue;
		if (classic_kinds[kind].read(c, NULL, &own) == 0)
			return 0;
		if (classic_kinds[kind].magic && (ret == CLASSIC_OTHER ||
		    own.offset > f->offset)) {
			*f = own;
			ret = -EINVAL;
		}
	}
	c->wide = wide;
	c->bytes.big = big;
	return ret;
}

int
classic_open(struct classic *c, const void *bytes, size_t size,
    const struct classic_program *program, struct fault *f)
{
	*c = (struct classic) {
		.bytes = { .at = bytes, .size = size, .big = program->big },
		.wide = program->wide,
		.low = program->low,
		.high = program->high,
	};
	for (unsigned i = 0; i < CLASSIC_KINDS; i++) {
		int ret = classic_try(c, (enum classic_kind)i, f);

		if (ret != CLASSIC_OTHER)
			return ret;
	}
	if (size >= 4 && memcmp(bytes, GMON_MAGIC, 4) == 0)
		return fault_set(f, size < GMON_HEADER ?
		    "gmon.out is cut short" :
		    "gmon.out has a version that is not known",
		    size < GMON_HEADER ? size : 4, 0);
	return CLASSIC_OTHER;
}

int
classic_read(const struct classic *c, const struct classic_sink *sink,
    struct fault *f)
{
	return classic_kinds[c->kind].read(c, sink, f);
}

int
classic_range_check(const struct classic *c, const struct classic_range *r,
    uint64_t header, struct fault *f)
{
	if (r->high < r->low || (r->bins != 0 && r->high - r->low < r->bins))
		return fault_set(f, "the range of the bins is none", header, 0);
	/* Their number was read as 32 bits, or is of the file's length. */
	if (!bytes_has(&c->bytes, r->offset, 2 * r->bins))
		return fault_set(f, "bins are cut short", c->bytes.size, 0);
	return 0;
}

int
classic_range_read(const struct classic *c, const struct classic_range *r,
    const struct classic_sink *sink)
{
	int ret = 0;

	for (uint64_t i = 0; i < r->bins && ret == 0; i++) {
		struct classic_bin bin = {
			.offset = r->offset + 2 * i,
			.rate = r->rate,
		};

		bin.count = bytes_get(&c->bytes, bin.offset, 2);
		if (bin.count == 0)
			continue;
		bin.low = classic_bound(r, i);
		bin.high = classic_bound(r, i + 1);
		ret = sink->bin(sink->arg, &bin);
	}
	return ret;
}

/*
 * Context: P.  Finds the format of a classic file, for the model and the
 * classic listing.  Each format is tried in each of the four layouts: two word
 * sizes, two byte orders; see classic.h.
 */
#include "classic/classic.h"

#include "classic/bsdgmon.h"
#include "classic/gmon.h"
#include "classic/monout.h"
#include "classic/profout.h"

#include <errno.h>
#include <string.h>

/*
 * Formats with a magic number come first, as a range that fits proves little.
 */
static const struct {
	const char *name;
	classic_is *is;
	classic_reader *read;
	bool magic;
	classic_whole *whole;	/* NULL: a file is whole or of no use */
	classic_is *cut;	/* NULL: a magic number tells the format */
} classic_kinds[CLASSIC_KINDS] = {
	[CLASSIC_GMON] = { "gmon.out (GNU)", gmon_is, gmon_read, true,
	    gmon_whole, NULL },
	[CLASSIC_SPROF] = { "profile of LD_PROFILE", gmon_is_sprof,
	    gmon_read_sprof, true, NULL, NULL },
	[CLASSIC_PROF] = { "mon.out (versioned)", profout_is, profout_read,
	    true, profout_whole, NULL },
	[CLASSIC_BSD] = { "gmon.out (4.4BSD)", bsdgmon_is, bsdgmon_read, true,
	    bsdgmon_whole, NULL },
	[CLASSIC_BSD_OLD] = { "gmon.out (BSD)", bsdgmon_is_old,
	    bsdgmon_read_old, false, NULL, bsdgmon_is_cut_old },
	[CLASSIC_MONOUT] = { "mon.out", monout_is, monout_read, false,
	    NULL, monout_is_cut },
};

const char *
classic_name(enum classic_kind kind)
{
	return classic_kinds[kind].name;
}

/* Returns c in one of the four layouts; number 0 is the layout that c has. */
static struct classic
classic_layout(const struct classic *c, unsigned i)
{
	struct classic own = *c;

	own.wide = c->wide != ((i & 1) != 0);
	own.bytes.big = c->bytes.big != ((i & 2) != 0);
	return own;
}

/*
 * Handles a file that fits no layout: chooses the layout in which most of the
 * file is whole.  Returns 0, with *c in that layout and cut behind that part,
 * or -EINVAL.
 */
static int
classic_mend(struct classic *c, const struct fault *f)
{
	struct classic best = { .bytes = { .size = 0 } };

	for (unsigned i = 0; i < 4 && classic_kinds[c->kind].whole != NULL;
	    i++) {
		struct classic own = classic_layout(c, i);

		if (!classic_kinds[c->kind].is(&own))
			continue;
		own.bytes.size = classic_kinds[c->kind].whole(&own);
		if (own.bytes.size > best.bytes.size &&
		    classic_kinds[c->kind].read(&own, NULL, &own.damage) == 0)
			best = own;
	}
	if (best.bytes.size == 0)
		return -EINVAL;
	*c = best;
	c->damage = *f;
	return 0;
}

/*
 * Tries the format `kind` in each layout.  If all fail, reports the fault at
 * the highest offset, which is that of the right layout, as reading in a wrong
 * layout fails early.  Returns 0, CLASSIC_OTHER or -EINVAL.
 */
static int
classic_try(struct classic *c, enum classic_kind kind, struct fault *f)
{
	int ret = CLASSIC_OTHER;

	c->kind = kind;
	for (unsigned i = 0; i < 4; i++) {
		const struct classic own = classic_layout(c, i);
		struct fault why = { 0 };

		if (!classic_kinds[kind].is(&own))
			continue;
		if (classic_kinds[kind].read(&own, NULL, &why) == 0) {
			*c = own;
			return 0;
		}
		if (classic_kinds[kind].magic && (ret == CLASSIC_OTHER ||
		    why.offset > f->offset)) {
			*f = why;
			ret = -EINVAL;
		}
	}
	return ret == -EINVAL ? classic_mend(c, f) : ret;
}

/*
 * Returns whether the file begins as one that the program wrote, of a format
 * without a magic number, and ends too early.  Sets *f if so.
 */
static bool
classic_is_cut(const struct classic *c, struct fault *f)
{
	for (unsigned i = 0; i < CLASSIC_KINDS; i++)
		if (classic_kinds[i].cut != NULL &&
		    classic_kinds[i].is(c) && classic_kinds[i].cut(c)) {
			fault_set(f, i == CLASSIC_MONOUT ?
			    "mon.out is cut short" : "gmon.out is cut short",
			    c->bytes.size, 0);
			return true;
		}
	return false;
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
	if (classic_is_cut(c, f))
		return -EINVAL;
	if (size >= 4 && memcmp(bytes, GMON_MAGIC, 4) == 0)
		return fault_set(f, size < GMON_HEADER ?
		    "gmon.out is cut short" :
		    "gmon.out has an unknown version",
		    size < GMON_HEADER ? size : 4, 0);
	return CLASSIC_OTHER;
}

int
classic_read(const struct classic *c, const struct classic_sink *sink,
    struct fault *f)
{
	return classic_kinds[c->kind].read(c, sink, f);
}

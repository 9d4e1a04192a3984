/*
 * Context: P.  Reader of mon.out of monitor(3C), for the table in classic.c and
 * the listing, and writer, for export_monout.c.  The layout is in monout.h.
 */
#include "classic/monout.h"

/* Sets *r to what the header says, with `cells` cells; checks nothing. */
static void
monout_range_of(const struct classic *c, uint64_t cells,
    struct classic_range *r)
{
	const unsigned w = classic_width(c);

	*r = (struct classic_range) {
		.low = bytes_get(&c->bytes, 0, w),
		.high = bytes_get(&c->bytes, w, w),
		.offset = 3 * w + cells * 2 * w,
	};
	r->bins = (c->bytes.size - r->offset) / 2;
}

void
monout_shape(const struct classic *c, struct monout_shape *s)
{
	const unsigned w = classic_width(c);

	s->cells = bytes_get(&c->bytes, 2 * w, w);
	monout_range_of(c, s->cells, &s->range);
	for (s->used = s->cells; s->used != 0; s->used--)
		if (bytes_get(&c->bytes, 3 * w + s->used * 2 * w - w, w) != 0)
			break;
}

/*
 * Finds the range and the cells of a file.  It has no magic number; it is
 * recognized by everything in it being consistent: each cell is unused or has
 * an address behind the start of the range, up to its end, and a bin covers two
 * bytes of the range or more.
 */
static int
monout_range(const struct classic *c, struct classic_range *r, uint64_t *cells,
    struct fault *f)
{
	const struct bytes *b = &c->bytes;
	const unsigned w = classic_width(c);
	uint64_t text;

	*cells = bytes_get(b, 2 * w, w);
	if (*cells > (b->size - 3 * w) / (2 * w))
		return fault_set(f, "call counts are cut short", 2 * w, 0);
	monout_range_of(c, *cells, r);
	/*
	 * A low address of 0 would be half of a 64-bit address in the other
	 * byte order.
	 */
	if (r->low >= r->high || (!c->wide && r->low == 0))
		return fault_set(f, "the range of the bins is empty", 0, 0);
	if ((b->size - r->offset) % 2 != 0)
		return fault_set(f, "a bin is cut short", b->size, 0);
	text = (r->high - r->low - 1) / 2 + 1;
	r->scale = monout_scale(r->bins, text);
	/* A buffer may be longer than its range needs. */
	if (r->bins > text)
		r->high = r->low + 2 * r->bins;
	return r->high > r->low ? classic_range_check(c, r, 0, f) :
	    fault_set(f, "the range of the bins is empty", 0, 0);
}

/* Addresses below this are no code of any object: Linux maps nothing there. */
#define MONOUT_FIRST_PAGE	4096u

/*
 * Returns whether the address of a cell, which is behind the first byte of its
 * function, lies in code of the program.  Library functions that are compiled
 * with -pg have cells, too; program functions outside the range given to
 * monitor(3C) are called as well.
 */
static bool
monout_is_code(const struct classic *c, const struct classic_range *r,
    uint64_t address)
{
	return (address > r->low && address <= r->high) ||
	    (address > c->low && address <= c->high);
}

/*
 * Hands out the cells.  Most of their addresses must lie in the program, or the
 * file is not of this format; but if the range is the program's, the others may
 * be of libraries.
 */
static int
monout_cells(const struct classic *c, const struct classic_range *r,
    uint64_t cells, const struct classic_sink *sink, struct fault *f)
{
	const unsigned w = classic_width(c);
	const bool known = classic_range_is_of_program(c, r);
	uint64_t used = 0, outside = 0, first = 0;
	int ret = 0;

	for (uint64_t i = 0; i < cells && ret == 0; i++) {
		struct classic_arc arc = { .offset = 3 * w + i * 2 * w };

		arc.self = bytes_get(&c->bytes, arc.offset, w);
		arc.count = bytes_get(&c->bytes, arc.offset + w, w);
		if (arc.self == 0 && arc.count == 0)
			continue;
		used++;
		arc.elsewhere = !monout_is_code(c, r, arc.self);
		if (arc.elsewhere && !(known && arc.self >=
		    MONOUT_FIRST_PAGE) && outside++ == 0)
			first = arc.offset;
		/* The address is the one that mcount returns to. */
		arc.self--;
		if (sink != NULL && arc.count != 0)
			ret = sink->arc(sink->arg, &arc);
	}
	return ret == 0 && outside > used / 2 ? fault_set(f, "call counts have "
	    "addresses out of range", first, 0) : ret;
}

bool
monout_is(const struct classic *c)
{
	return bytes_has(&c->bytes, 0, 3 * classic_width(c));
}

/*
 * A file that is cut at an even length is not told from a whole one: the number
 * of bins follows from the length.
 */
bool
monout_is_cut(const struct classic *c)
{
	const unsigned w = classic_width(c);
	const uint64_t cells = bytes_get(&c->bytes, 2 * w, w);
	const struct classic_range r = {
		.low = bytes_get(&c->bytes, 0, w),
		.high = bytes_get(&c->bytes, w, w),
	};

	return classic_range_is_of_program(c, &r) &&
	    (cells > (c->bytes.size - 3 * w) / (2 * w) ||
	    (c->bytes.size - 3 * w) % 2 != 0);
}

int
monout_read(const struct classic *c, const struct classic_sink *sink,
    struct fault *f)
{
	struct classic_range r;
	uint64_t cells = 0;
	int ret = monout_range(c, &r, &cells, f);

	if (ret == 0)
		ret = monout_cells(c, &r, cells, sink, f);
	return ret != 0 || sink == NULL ? ret :
	    classic_range_read(c, &r, sink);
}

void
monout_put_header(unsigned char *to, uint64_t low, uint64_t high,
    uint64_t cells)
{
	to = bytes_put(to, low, 8);
	to = bytes_put(to, high, 8);
	bytes_put(to, cells, 8);
}

void
monout_put_cell(unsigned char *to, uint64_t address, uint64_t calls)
{
	to = bytes_put(to, address, 8);
	bytes_put(to, calls, 8);
}

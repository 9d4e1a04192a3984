/*
 * Context: O.  Adds a gmon.out, or a mon.out that is not versioned: files with
 * histogram counts in ranges of one object.  listing_add() calls it; see
 * listing_parts.h.
 */
#include "listing_parts.h"

#include "foreign/provenance.h"
#include "classic/monout.h"

/* Size that the first tables of call counts had; more than 5/6 is crowded. */
#define MPROGS0 300

/* A file that is being added. */
struct cells {
	struct listing *listing;
	struct listing_module *module;
	const struct classic *classic;
	uint64_t end;		/* end of the last function */
	uint64_t calls;		/* records of calls */
};

/*
 * Spreads the histogram counts of the range [low, high) over the functions in
 * it, by the bytes of each: a count is equally likely at each address.
 */
static void
spread_bin_ticks(struct cells *x, double low, double high, double ticks)
{
	const struct listing_module *m = x->module;
	const struct listing_symbol *all = m->symbols + m->count;
	struct listing_symbol *s = listing_symbol_below(m, (uint64_t)low);

	x->listing->ticks += ticks;
	for (s = s != NULL ? s : m->symbols; s < all; s++) {
		double from = (double)s->symbol->value;
		double to = (double)(s + 1 < all ? s[1].symbol->value :
		    x->end);

		if (from >= high)
			break;
		from = from < low ? low : from;
		to = to > high ? high : to;
		if (to > from)
			s->ticks += ticks * ((to - from) / (high - low));
	}
}

/* Adds a bin, its counts converted from the file's rate to PROVENANCE_RATE. */
static int
add_cells_bin(void *arg, const struct classic_bin *bin)
{
	struct cells *x = arg;
	const double rate = bin->rate != 0 ? bin->rate : PROVENANCE_RATE;

	spread_bin_ticks(x, (double)bin->low, (double)bin->high,
	    (double)bin->count * PROVENANCE_RATE / rate);
	return 0;
}

static int
add_cells_arc(void *arg, const struct classic_arc *arc)
{
	struct cells *x = arg;
	struct listing_symbol *s = arc->elsewhere ? NULL :
	    listing_function_at(x->module, arc->self);

	x->calls++;
	if (s != NULL)
		s->calls += arc->count;
	return 0;
}

static int
ignore_cells_module(void *arg, const struct classic_module *module)
{
	(void)arg;
	(void)module;
	return 0;
}

/* Computes the scale as the original did, in 32-bit arithmetic. */
static long
profil_scale(const struct classic_range *r)
{
	const uint64_t span = r->high - r->low;
	long scale = (long)(65536.0 * (double)r->bins / (double)span);

	for (uint64_t i = span >> 1; i > 0x7fff; i >>= 1)
		scale >>= 1;
	return scale;
}

/* Adds the file to the statistics of -s. */
static void
count_cells(struct cells *x, const struct monout_shape *shape)
{
	const bool monout = x->classic->kind == CLASSIC_MONOUT;
	struct listing_cells *sum = &x->listing->cells;
	const uint64_t used = monout ? shape->used : x->calls;

	sum->used += used;
	sum->all += monout ? shape->cells : used;
	sum->scale = profil_scale(&shape->range);
	sum->crowded |= used > MPROGS0 * 5 / 6;
}

/*
 * Returns 0 if the program could be read and has the file's word size and byte
 * order, else an exit code with *f set.
 */
static int
check_program_layout(const struct cells *x, struct fault *f)
{
	const struct listing_module *m = x->module;
	int ret = listing_check_program(x->listing, f);

	if (ret != 0 || (x->classic->wide == m->program.wide &&
	    x->classic->bytes.big == m->program.big))
		return ret;
	return listing_fault(f, LISTING_INPUT, "has another word size or byte "
	    "order than the program", FAULT_NO_OFFSET);
}

/*
 * Chooses the functions at the first file, and refuses a later file of another
 * range.  BSD lists functions outside of the range, too.
 */
static int
qualify_cells(struct cells *x, const struct classic_range *r, struct fault *f)
{
	struct listing *l = x->listing;
	const bool bsd = l->options->style == LISTING_BSD;

	if (x->module->symbols == NULL) {
		l->range = *r;
		return listing_qualify(l, x->module, bsd ? 0 : r->low,
		    bsd ? UINT64_MAX : r->high) == 0 ? 0 : listing_no_memory(f);
	}
	return l->range.low == r->low && l->range.high == r->high ? 0 :
	    listing_fault(f, LISTING_INPUT, "has another range than the "
	    "first file", 0);
}

int
listing_add_cells(struct listing *l, const struct listing_file *file,
    struct fault *f)
{
	struct monout_shape shape = {
		.range = { .low = 0, .high = UINT64_MAX, .bins = 1 },
	};
	struct cells x = {
		.listing = l, .module = l->modules, .classic = &file->classic,
	};
	const struct classic_sink sink = {
		.arg = &x, .bin = add_cells_bin, .arc = add_cells_arc,
		.module = ignore_cells_module,
	};
	const bool monout = file->classic.kind == CLASSIC_MONOUT;
	int ret = check_program_layout(&x, f);

	if (ret == 0 && monout)
		monout_shape(&file->classic, &shape);
	x.end = shape.range.high;
	if (ret == 0)
		ret = qualify_cells(&x, &shape.range, f);
	if (ret == 0 && classic_read(&file->classic, &sink, f) != 0)
		ret = LISTING_INPUT;
	if (ret == 0)
		count_cells(&x, &shape);
	return ret != 0 || !monout ? ret :
	    listing_add_sum(l, &file->classic, &shape.range, f);
}

/*
 * Context: O.  Writes mon.sum of 4.2BSD: several mon.out files as one.
 * listing_add_cells() adds each file, cmd/classic/classic_list.c writes the sum
 * at the end.
 */
#include "listing_parts.h"

#include "classic/monout.h"
#include "output.h"

#include <stdlib.h>

int
listing_add_sum(struct listing *l, const struct classic *c,
    const struct classic_range *r, struct fault *f)
{
	if (l->options->style != LISTING_BSD || !l->options->statistics)
		return 0;
	if (l->sum == NULL) {
		l->range = *r;
		l->wide = c->wide;
		l->big = c->bytes.big;
		l->sum = calloc(r->bins + 1, sizeof(*l->sum));
	}
	if (l->sum == NULL)
		return listing_no_memory(f);
	if (l->range.bins != r->bins)
		return listing_fault(f, LISTING_INPUT, "has another number of "
		    "cells than the first file", FAULT_NO_OFFSET);
	for (uint64_t i = 0; i < r->bins; i++)
		l->sum[i] += bytes_get(&c->bytes, r->offset + 2 * i, 2);
	return 0;
}

/* Writes a number of `width` bytes in the byte order of the files. */
static void
put_sum_number(FILE *out, const struct listing *l, uint64_t value,
    unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		putc((int)(value >> 8 * (l->big ? width - 1 - i : i) & 0xff),
		    out);
}

/* Writes the call counts of all functions that were called. */
static void
put_sum_cells(FILE *out, const struct listing *l, unsigned width)
{
	const struct listing_module *m = l->modules;

	for (size_t i = 0; i < m->count; i++) {
		if (m->symbols[i].calls == 0)
			continue;
		/*
		 * The address is one byte into the function; every prof finds
		 * the function by that.
		 */
		put_sum_number(out, l, m->symbols[i].symbol->value + 1, width);
		put_sum_number(out, l, m->symbols[i].calls, width);
	}
	/* A record of zeros ends the call counts. */
	put_sum_number(out, l, 0, width);
	put_sum_number(out, l, 0, width);
}

/*
 * Returns 0 if there is a sum and each bin fits in 16 bits, else LISTING_INPUT
 * with *f set.
 */
static int
check_sum_fits(const struct listing *l, struct fault *f)
{
	if (l->sum == NULL)
		return listing_fault(f, LISTING_INPUT, "cannot be made: it is "
		    "a sum of files in the old layout", FAULT_NO_OFFSET);
	for (uint64_t i = 0; i < l->range.bins; i++)
		if (l->sum[i] > MONOUT_BIN_MOST)
			return listing_fault(f, LISTING_INPUT, "cannot be "
			    "made: a cell holds 65535 ticks, and one has more",
			    FAULT_NO_OFFSET);
	return 0;
}

int
listing_write_sum(const char *path, const struct listing *l, struct fault *f)
{
	const unsigned width = l->wide ? 8 : 4;
	uint64_t used = 1;
	struct output o;
	int ret = check_sum_fits(l, f);

	if (ret != 0)
		return ret;
	for (size_t i = 0; i < l->modules->count; i++)
		used += l->modules->symbols[i].calls != 0;
	if (output_open(&o, path, f) != 0)
		return LISTING_SYSTEM;
	put_sum_number(o.out, l, l->range.low, width);
	put_sum_number(o.out, l, l->range.high, width);
	put_sum_number(o.out, l, used, width);
	put_sum_cells(o.out, l, width);
	for (uint64_t i = 0; i < l->range.bins; i++)
		put_sum_number(o.out, l, l->sum[i], 2);
	return output_close(&o, f) == 0 ? 0 : LISTING_SYSTEM;
}

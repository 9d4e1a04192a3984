/*
 * Context: O.  Writes mon.out of SVR4, as the classic prof(1) reads it, for
 * export_write(); see export_monout.h.
 */
#include "classic/export_monout.h"

#include "base/compare.h"
#include "foreign/provenance.h"
#include "classic/monout.h"

#include <errno.h>
#include <stdlib.h>

struct monout_cell {
	uint64_t address;
	uint64_t calls;
};

static int
cell_compare(const void *left, const void *right)
{
	const struct monout_cell *a = left, *b = right;

	return compare_u64(a->address, b->address);
}

/*
 * Makes a cell for each function that was called.  Its address is that of the
 * function's second byte: the classic reader expects a return address of
 * mcount, which is behind the first byte.
 */
static int
monout_cells(const struct model *m, const struct object_profile *e,
    struct monout_cell **cells, size_t *count)
{
	size_t all = 0, kept = 0;

	*count = 0;
	*cells = calloc(m->row_count + 1, sizeof(**cells));
	if (*cells == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->module != e->module || r->calls == 0)
			continue;
		(*cells)[all++] = (struct monout_cell) {
			m->functions[r->function].start + 1, r->calls,
		};
	}
	if (all == 0)
		return 0;
	qsort(*cells, all, sizeof(**cells), cell_compare);
	for (size_t i = 1; i < all; i++)
		if ((*cells)[i].address == (*cells)[kept].address)
			(*cells)[kept].calls += (*cells)[i].calls;
		else
			(*cells)[++kept] = (*cells)[i];
	*count = kept + 1;
	return 0;
}

/* Moves each count into the bin in which monitor(3C) has it. */
static void
monout_shift(struct object_profile_bin *bins, size_t *count, uint64_t all)
{
	const uint64_t scale = monout_scale(all, all);
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		uint64_t index = bins[i].index * scale >> 16;

		if (kept != 0 && bins[kept - 1].index == index)
			bins[kept - 1].ticks += bins[i].ticks;
		else
			bins[kept++] = (struct object_profile_bin) { index,
			    bins[i].ticks };
	}
	*count = kept;
}

/*
 * Refuses bins with more than a mon.out holds.  Returns 0 or -EINVAL with *f
 * set.
 */
static int
monout_fits(const struct object_profile_bin *bins, size_t count,
    struct fault *f)
{
	int ret;

	for (size_t i = 0; i < count; i++) {
		if (bins[i].ticks <= MONOUT_BIN_MOST)
			continue;
		ret = fault_set(f, "cannot be written: mon.out holds 655 s at "
		    "a place, and one has more", FAULT_NO_OFFSET, 0);
		f->remedy = "use --write=gmon";
		return ret;
	}
	return 0;
}

static void
monout_put(FILE *out, const struct object_profile *e,
    const struct monout_cell *cells, size_t cell_count,
    const struct object_profile_bin *bins, size_t bin_count)
{
	unsigned char head[MONOUT_HEADER_BYTES], cell[MONOUT_CELL_BYTES];

	monout_put_header(head, e->low, e->high, cell_count);
	fwrite(head, 1, sizeof(head), out);
	for (size_t i = 0; i < cell_count; i++) {
		monout_put_cell(cell, cells[i].address, cells[i].calls);
		fwrite(cell, 1, sizeof(cell), out);
	}
	object_profile_put_bins(out, bins, bin_count, (e->high - e->low) /
	    OBJECT_PROFILE_BIN, 0);
}

int
export_monout(FILE *out, const struct model *m, const struct object_profile *e,
    struct fault *f)
{
	struct object_profile_bin *bins = NULL;
	struct monout_cell *cells = NULL;
	size_t bin_count = 0, cell_count = 0;
	int ret = object_profile_bins(e, PROVENANCE_RATE, &bins, &bin_count);

	if (ret == 0)
		ret = monout_cells(m, e, &cells, &cell_count);
	if (ret != 0)
		fault_set_no_memory(f);
	if (ret == 0) {
		monout_shift(bins, &bin_count, (e->high - e->low) /
		    OBJECT_PROFILE_BIN);
		ret = monout_fits(bins, bin_count, f);
	}
	if (ret == 0)
		monout_put(out, e, cells, cell_count, bins, bin_count);
	free(cells);
	free(bins);
	return ret;
}

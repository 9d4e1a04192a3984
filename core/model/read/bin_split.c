/*
 * Context: O.  Distributes ticks of ranges of addresses ("bins") among the
 * functions in them, for read_classic.c.  Works in rounds: each looks up the
 * ends of all bins of a module at once and cuts the last function off each bin.
 */
#include "read/bin_split.h"

#include "base/compare.h"
#include "object.h"
#include "base/vector.h"

#include <string.h>

/*
 * Rounds, and so functions in a bin that are told apart.  Bins of 4 or 8 bytes
 * have at most two functions in practice.
 */
#define BIN_SPLIT_ROUNDS	16

/* Adds a row with all of the bin at its first address. */
static int
add_bin_row(struct model *m, const struct bin_split_range *bin)
{
	struct model_row row = {
		.kind = FORMAT_USER,
		.module = bin->module,
		.address = bin->low,
		.process = MODEL_NONE,
		.thread = MODEL_NONE,
		.count = bin->count,
		.ns = bin->ns,
	};

	return model_add_row(m, &row);
}

int
bin_split_add(struct bin_split_list *l, struct model *m,
    const struct bin_split_range *bin)
{
	/* The bin has one address, or none that can be looked up. */
	if (bin->high - bin->low <= 1 || bin->module < MODEL_MODULES)
		return add_bin_row(m, bin);
	if (vector_grow(&l->bins, l->count, &l->room, sizeof(*bin)) != 0)
		return -ENOMEM;
	l->bins[l->count++] = *bin;
	return 0;
}

void
bin_split_free(struct bin_split_list *l)
{
	free(l->bins);
	memset(l, 0, sizeof(*l));
}

static int
compare_bins(const void *left, const void *right)
{
	const struct bin_split_range *a = left, *b = right;
	int d = compare_u64(a->module, b->module);

	if (d == 0)
		d = compare_u64(a->low, b->low);
	return d != 0 ? d : compare_u64(a->high, b->high);
}

/* Merges equal bins: files with repeated records have a bin more than once. */
static void
merge_bins(struct bin_split_list *l)
{
	size_t kept = 0;

	if (l->count == 0)
		return;
	qsort(l->bins, l->count, sizeof(*l->bins), compare_bins);
	for (size_t i = 1; i < l->count; i++)
		if (compare_bins(&l->bins[kept], &l->bins[i]) == 0) {
			l->bins[kept].count += l->bins[i].count;
			l->bins[kept].ns += l->bins[i].ns;
		} else {
			l->bins[++kept] = l->bins[i];
		}
	l->count = kept + 1;
}

static int
compare_bin_ends(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	return compare_u64(a->address, b->address);
}

/*
 * Lists the first and the last byte of each bin in asked[], which has 2 * count
 * elements, ascending and each address once.  Returns their number.
 */
static size_t
list_bin_ends(const struct bin_split_range *bins, size_t count,
    struct symbol *asked)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		asked[2 * i].address = asked[2 * i].start = bins[i].low;
		asked[2 * i + 1].address = asked[2 * i + 1].start =
		    bins[i].high - 1;
	}
	qsort(asked, 2 * count, sizeof(*asked), compare_bin_ends);
	for (size_t i = 1; i < 2 * count; i++)
		if (asked[i].address != asked[kept].address)
			asked[++kept] = asked[i];
	return kept + 1;
}

/*
 * Finds the functions of asked[0..count) in the module's object.  Returns 0 or
 * -ENOMEM; an object that cannot be read is no error.
 */
static int
resolve_bin_ends(struct model *m, uint32_t module, struct symbol *asked,
    size_t count)
{
	const struct model_module *own = &m->modules[module];
	const struct object_ref ref = {
		.path = own->path,
		.build_id = own->build_id,
		.build_id_bytes = own->build_id_bytes,
		.device = own->device,
		.inode = own->inode,
		.seen = own->seen,
	};
	enum object_state state;
	const char *debug;

	return object_resolve(&ref, asked, count, &m->arena, &state, &debug,
	    NULL);
}

/*
 * Makes the part of the bin from `bound` on a row of its own, for the function
 * that starts at `bound`, and leaves the rest in *bin.  Returns 0 or -ENOMEM.
 */
static int
split_bin(struct model *m, struct bin_split_range *bin, uint64_t bound)
{
	struct bin_split_range rest = *bin;
	double share = (double)(bin->high - bound) /
	    (double)(bin->high - bin->low);

	rest.low = bound;
	rest.ns = (uint64_t)((double)bin->ns * share);
	rest.count = (uint64_t)((double)bin->count * share + 0.5);
	if (rest.ns > bin->ns)
		rest.ns = bin->ns;
	if (rest.count > bin->count)
		rest.count = bin->count;
	bin->high = bound;
	bin->ns -= rest.ns;
	bin->count -= rest.count;
	return add_bin_row(m, &rest);
}

static bool
symbol_is_function(const struct symbol *s)
{
	return s->name != NULL || s->start_known;
}

/*
 * Does one round over the bins of a module.  Bins that need another round are
 * moved to the front, and *count is set to their number.  Returns 0 or -ENOMEM.
 */
static int
split_bins_once(struct model *m, struct bin_split_range *bins, size_t *count)
{
	struct symbol *asked = calloc(2 * *count, sizeof(*asked));
	size_t all, kept = 0;
	int ret = asked == NULL ? -ENOMEM : 0;

	if (ret != 0)
		return ret;
	all = list_bin_ends(bins, *count, asked);
	ret = resolve_bin_ends(m, bins->module, asked, all);
	for (size_t i = 0; i < *count && ret == 0; i++) {
		const struct symbol *last =
		    &asked[symbol_lookup_lower_bound(asked, all,
		    bins[i].high - 1)];
		const struct symbol *first =
		    &asked[symbol_lookup_lower_bound(asked, all, bins[i].low)];

		/* Bytes that pad functions apart are not executed. */
		if (symbol_is_function(last) && !symbol_is_function(first))
			bins[i].low = last->start;
		if (!symbol_is_function(last) || last->start <= bins[i].low) {
			ret = add_bin_row(m, &bins[i]);
			continue;
		}
		ret = split_bin(m, &bins[i], last->start);
		bins[kept++] = bins[i];
	}
	*count = kept;
	free(asked);
	return ret;
}

/* Adds rows for all bins of one module.  Returns 0 or -ENOMEM. */
static int
split_module_bins(struct model *m, struct bin_split_range *bins, size_t count)
{
	int ret = 0;

	for (int i = 0; i < BIN_SPLIT_ROUNDS && count != 0 && ret == 0; i++)
		ret = split_bins_once(m, bins, &count);
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = add_bin_row(m, &bins[i]);
	return ret;
}

int
bin_split_to_rows(struct bin_split_list *l, struct model *m)
{
	size_t done = 0;
	int ret = 0;

	merge_bins(l);
	while (done < l->count && ret == 0) {
		size_t count = 1;

		while (done + count < l->count &&
		    l->bins[done + count].module == l->bins[done].module)
			count++;
		ret = split_module_bins(m, l->bins + done, count);
		done += count;
	}
	return ret;
}

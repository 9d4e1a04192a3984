/* Context: O.  Ticks of a range of addresses, shared among its functions. */
#include "bin.h"

#include "grow.h"
#include "object.h"
#include "order.h"

#include <string.h>

/* Functions in a bin that are told apart; bins of 4 or 8 bytes have two. */
#define BIN_ROUNDS	16

static int
bin_row(struct model *m, const struct bin *bin)
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
bin_add(struct bin_list *l, struct model *m, const struct bin *bin)
{
	/* One address, or one that nobody can look up. */
	if (bin->high - bin->low <= 1 || bin->module < MODEL_MODULES)
		return bin_row(m, bin);
	if (grow(&l->bins, l->count, &l->room, sizeof(*bin)) != 0)
		return -ENOMEM;
	l->bins[l->count++] = *bin;
	return 0;
}

void
bin_free(struct bin_list *l)
{
	free(l->bins);
	memset(l, 0, sizeof(*l));
}

static int
bin_compare(const void *left, const void *right)
{
	const struct bin *a = left, *b = right;
	int d = order(a->module, b->module);

	if (d == 0)
		d = order(a->low, b->low);
	return d != 0 ? d : order(a->high, b->high);
}

/* Repeated records have a bin more than once. */
static void
bin_merge(struct bin_list *l)
{
	size_t kept = 0;

	if (l->count == 0)
		return;
	qsort(l->bins, l->count, sizeof(*l->bins), bin_compare);
	for (size_t i = 1; i < l->count; i++)
		if (bin_compare(&l->bins[kept], &l->bins[i]) == 0) {
			l->bins[kept].count += l->bins[i].count;
			l->bins[kept].ns += l->bins[i].ns;
		} else {
			l->bins[++kept] = l->bins[i];
		}
	l->count = kept + 1;
}

static int
asked_compare(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	return order(a->address, b->address);
}

/* The first and the last byte of each, ascending and each once. */
static size_t
bin_ask(const struct bin *bins, size_t count, struct symbol *asked)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		asked[2 * i].address = asked[2 * i].start = bins[i].low;
		asked[2 * i + 1].address = asked[2 * i + 1].start =
		    bins[i].high - 1;
	}
	qsort(asked, 2 * count, sizeof(*asked), asked_compare);
	for (size_t i = 1; i < 2 * count; i++)
		if (asked[i].address != asked[kept].address)
			asked[++kept] = asked[i];
	return kept + 1;
}

static int
bin_resolve(struct model *m, uint32_t module, struct symbol *asked,
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

/* What is behind `bound` goes to the row of the function that starts there. */
static int
bin_split(struct model *m, struct bin *bin, uint64_t bound)
{
	struct bin rest = *bin;
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
	return bin_row(m, &rest);
}

static bool
bin_is_function(const struct symbol *s)
{
	return s->name != NULL || s->bounded;
}

/* One round over bins of a module; those that are not done move forward. */
static int
bin_round(struct model *m, struct bin *bins, size_t *count)
{
	struct symbol *asked = calloc(2 * *count, sizeof(*asked));
	size_t all, kept = 0;
	int ret = asked == NULL ? -ENOMEM : 0;

	if (ret != 0)
		return ret;
	all = bin_ask(bins, *count, asked);
	ret = bin_resolve(m, bins->module, asked, all);
	for (size_t i = 0; i < *count && ret == 0; i++) {
		const struct symbol *last = &asked[symbol_first(asked, all,
		    bins[i].high - 1)];
		const struct symbol *first = &asked[symbol_first(asked, all,
		    bins[i].low)];

		/* What pads functions apart is not run. */
		if (bin_is_function(last) && !bin_is_function(first))
			bins[i].low = last->start;
		if (!bin_is_function(last) || last->start <= bins[i].low) {
			ret = bin_row(m, &bins[i]);
			continue;
		}
		ret = bin_split(m, &bins[i], last->start);
		bins[kept++] = bins[i];
	}
	*count = kept;
	free(asked);
	return ret;
}

static int
bin_module(struct model *m, struct bin *bins, size_t count)
{
	int ret = 0;

	for (int i = 0; i < BIN_ROUNDS && count != 0 && ret == 0; i++)
		ret = bin_round(m, bins, &count);
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = bin_row(m, &bins[i]);
	return ret;
}

int
bin_settle(struct bin_list *l, struct model *m)
{
	size_t done = 0;
	int ret = 0;

	bin_merge(l);
	while (done < l->count && ret == 0) {
		size_t count = 1;

		while (done + count < l->count &&
		    l->bins[done + count].module == l->bins[done].module)
			count++;
		ret = bin_module(m, l->bins + done, count);
		done += count;
	}
	return ret;
}

/*
 * Context: O.  Keeps the names of kernel functions that a tprof.out brings, a
 * sorted table, for the reader of tprof.out; see kernel_symbols.h.
 */
#include "names/kernel_symbols.h"

#include "base/compare.h"
#include "base/vector.h"

static int
compare_kernel_symbols(const void *left, const void *right)
{
	const struct kernel_symbols_entry *a = left, *b = right;

	return compare_u64(a->start, b->start);
}

int
kernel_symbols_add(struct kernel_symbols *k,
    const struct kernel_symbols_entry *sym)
{
	if (vector_grow(&k->all, k->count, &k->room, sizeof(*sym)) != 0)
		return -ENOMEM;
	k->all[k->count++] = *sym;
	return 0;
}

void
kernel_symbols_sort(struct kernel_symbols *k)
{
	if (k->count > 1)
		qsort(k->all, k->count, sizeof(*k->all),
		    compare_kernel_symbols);
}

/*
 * Returns the function that contains an address, or NULL.  Only the last one
 * that starts at or before the address can contain it.
 */
static const struct kernel_symbols_entry *
find_kernel_symbol(const struct kernel_symbols *k, uint64_t address)
{
	const size_t below = compare_upper_bound(k->all, k->count,
	    sizeof(*k->all), offsetof(struct kernel_symbols_entry, start),
	    address);

	return below != 0 && address - k->all[below - 1].start <
	    k->all[below - 1].bytes ? &k->all[below - 1] : NULL;
}

int
kernel_symbols_name(const struct kernel_symbols *k, struct model *m,
    uint32_t module, uint64_t address)
{
	const struct kernel_symbols_entry *own = find_kernel_symbol(k, address);
	struct embedded_names_place place = {
		.module = module, .process = MODEL_NONE, .address = address,
	};

	if (own == NULL)
		return 0;
	place.start = own->start;
	place.name = own->name;
	return embedded_names_add(&m->given, &place, NULL);
}

void
kernel_symbols_free(struct kernel_symbols *k)
{
	free(k->all);
	*k = (struct kernel_symbols) { 0 };
}

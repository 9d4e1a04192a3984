/* Context: O.  Names of kernel functions that a tprof.out brings. */
#include "ksyms.h"

#include "grow.h"
#include "order.h"

static int
compare(const void *left, const void *right)
{
	const struct ksym *a = left, *b = right;

	return order(a->start, b->start);
}

int
ksyms_add(struct ksyms *k, const struct ksym *sym)
{
	if (grow(&k->all, k->count, &k->room, sizeof(*sym)) != 0)
		return -ENOMEM;
	k->all[k->count++] = *sym;
	return 0;
}

void
ksyms_sort(struct ksyms *k)
{
	if (k->count > 1)
		qsort(k->all, k->count, sizeof(*k->all), compare);
}

/* The last one that starts at or before it; NULL: it does not hold that. */
static const struct ksym *
find(const struct ksyms *k, uint64_t address)
{
	const size_t below = order_not_above(k->all, k->count,
	    sizeof(*k->all), offsetof(struct ksym, start), address);

	return below != 0 && address - k->all[below - 1].start <
	    k->all[below - 1].bytes ? &k->all[below - 1] : NULL;
}

int
ksyms_give(const struct ksyms *k, struct model *m, uint32_t module,
    uint64_t address)
{
	const struct ksym *own = find(k, address);
	struct given_place place = {
		.module = module, .process = MODEL_NONE, .address = address,
	};

	if (own == NULL)
		return 0;
	place.start = own->start;
	place.name = own->name;
	return given_add(&m->given, &place, NULL);
}

void
ksyms_free(struct ksyms *k)
{
	free(k->all);
	*k = (struct ksyms) { .all = NULL };
}

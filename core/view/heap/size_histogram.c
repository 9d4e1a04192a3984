/*
 * Context: O.  Prints the sizes of allocated blocks as a histogram, for prof
 * --heap=sizes; see size_histogram.h.
 */
#include "heap/size_histogram.h"

#include "base/quantity.h"

#include <inttypes.h>

#define BAR	40u	/* columns of the longest bar */

static uint64_t
class_min_size(unsigned i)
{
	return i == 0 ? 0 : (uint64_t)1 << (i - 1);
}

uint64_t
size_histogram_class_max(unsigned i)
{
	return i == 0 ? 0 : ((uint64_t)1 << i) - 1;
}

/*
 * Returns the number of blocks; sets *most to that of the largest class, at
 * least 1.
 */
static uint64_t
sum_size_classes(const struct model *m, uint64_t *most)
{
	uint64_t sum = 0;

	*most = 1;
	for (unsigned i = 0; i < FORMAT_SIZES; i++) {
		sum += m->sizes[i];
		if (m->sizes[i] > *most)
			*most = m->sizes[i];
	}
	return sum;
}

static void
put_size_class(FILE *out, const struct model *m, unsigned i, uint64_t sum,
    uint64_t below, uint64_t most)
{
	const unsigned bar = (unsigned)((double)m->sizes[i] * BAR /
	    (double)most + 0.5);
	char room[QUANTITY_TEXT_ROOM];

	fprintf(out, "%8s ", quantity_format_bytes(class_min_size(i), room));
	fprintf(out, "%8s %11" PRIu64 " %6.1f %6.1f  ",
	    quantity_format_bytes(size_histogram_class_max(i), room),
	    m->sizes[i], 100 * (double)m->sizes[i] / (double)sum,
	    100 * (double)below / (double)sum);
	for (unsigned k = 0; k < bar; k++)
		putc('#', out);
	putc('\n', out);
}

unsigned
size_histogram_median(const struct model *m)
{
	uint64_t most, below = 0;
	const uint64_t sum = sum_size_classes(m, &most);
	unsigned i = 0;

	if (sum == 0)
		return FORMAT_SIZES;
	while (i + 1 < FORMAT_SIZES && (below += m->sizes[i]) < sum - sum / 2)
		i++;
	return i;
}

void
size_histogram_print(const struct term *t, const struct model *m)
{
	uint64_t most, below = 0;
	const uint64_t sum = sum_size_classes(m, &most);

	fprintf(t->out, "%s    From       To      Blocks      %%  Sum %%%s\n",
	    term_on(t, TERM_HEAD), term_off(t));
	for (unsigned i = 0; i < FORMAT_SIZES; i++) {
		below += m->sizes[i];
		if (m->sizes[i] != 0)
			put_size_class(t->out, m, i, sum, below, most);
	}
	if (sum != 0)
		fprintf(t->out, "   total          %11" PRIu64 "  100.0\n",
		    sum);
}

void
size_histogram_data(FILE *out, enum data_table_format form,
    const struct model *m)
{
	struct data_table s;

	data_table_init(&s, out, form);
	data_table_column(&s, "least_bytes");
	data_table_column(&s, "most_bytes");
	data_table_column(&s, "blocks");
	for (unsigned i = 0; i < FORMAT_SIZES; i++) {
		if (m->sizes[i] == 0)
			continue;
		data_table_number(&s, "%" PRIu64, class_min_size(i));
		data_table_number(&s, "%" PRIu64, size_histogram_class_max(i));
		data_table_number(&s, "%" PRIu64, m->sizes[i]);
	}
	data_table_end(&s);
}

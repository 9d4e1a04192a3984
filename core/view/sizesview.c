/* Context: O.  How large blocks are; see sizesview.h. */
#include "sizesview.h"

#include "unit.h"

#include <inttypes.h>

#define BAR	40u	/* columns of the longest */

static uint64_t
least(unsigned i)
{
	return i == 0 ? 0 : (uint64_t)1 << (i - 1);
}

uint64_t
sizesview_most(unsigned i)
{
	return i == 0 ? 0 : ((uint64_t)1 << i) - 1;
}

static uint64_t
sum_of(const struct model *m, uint64_t *most)
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
put_class(FILE *out, const struct model *m, unsigned i, uint64_t sum,
    uint64_t most)
{
	const unsigned bar = (unsigned)((double)m->sizes[i] * BAR /
	    (double)most + 0.5);
	char room[UNIT_SCALED];

	fprintf(out, "%8s ", unit_bytes(least(i), room));
	fprintf(out, "%8s %11" PRIu64 " %6.1f  ",
	    unit_bytes(sizesview_most(i), room), m->sizes[i],
	    100 * (double)m->sizes[i] / (double)sum);
	for (unsigned k = 0; k < bar; k++)
		putc('#', out);
	putc('\n', out);
}

unsigned
sizesview_half(const struct model *m)
{
	uint64_t most, below = 0;
	const uint64_t sum = sum_of(m, &most);
	unsigned i = 0;

	if (sum == 0)
		return FORMAT_SIZES;
	while (i + 1 < FORMAT_SIZES && (below += m->sizes[i]) < sum / 2)
		i++;
	return i;
}

void
sizesview_print(const struct term *t, const struct model *m)
{
	uint64_t most;
	const uint64_t sum = sum_of(m, &most);

	fprintf(t->out, "%s    From       To      Blocks      %%%s\n",
	    term_on(t, TERM_HEAD), term_off(t));
	for (unsigned i = 0; i < FORMAT_SIZES; i++)
		if (m->sizes[i] != 0)
			put_class(t->out, m, i, sum, most);
}

void
sizesview_sheet(FILE *out, enum sheet_form form, const struct model *m)
{
	struct sheet s;

	sheet_init(&s, out, form);
	sheet_column(&s, "least_bytes");
	sheet_column(&s, "most_bytes");
	sheet_column(&s, "blocks");
	for (unsigned i = 0; i < FORMAT_SIZES; i++) {
		if (m->sizes[i] == 0)
			continue;
		sheet_number(&s, "%" PRIu64, least(i));
		sheet_number(&s, "%" PRIu64, sizesview_most(i));
		sheet_number(&s, "%" PRIu64, m->sizes[i]);
	}
	sheet_end(&s);
}

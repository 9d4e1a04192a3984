/* Context: O.  Time below zero, of files that were made by subtraction. */
#include "below.h"

#include "grow.h"

static int
note(struct model *m, const struct model_below *own)
{
	if (grow(&m->below, m->below_count, &m->below_room,
	    sizeof(*m->below)) != 0)
		return -ENOMEM;
	m->below[m->below_count++] = *own;
	return 0;
}

int
below_note(struct model *m, uint32_t function, uint64_t ns)
{
	const struct model_below own = {
		.row = MODEL_NONE, .function = function, .ns = 0 - ns,
	};

	return note(m, &own);
}

static int
drop(struct model *m, size_t row)
{
	struct model_row *r = &m->rows[row];
	const struct model_below own = {
		.row = (uint32_t)row, .ns = 0 - r->ns,
	};

	r->ns = r->count = 0;
	return note(m, &own);
}

int
below_drop(struct model *m)
{
	int ret = 0;

	if (!m->differences || m->signs)
		return 0;
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		struct model_row *r = &m->rows[i];

		if (r->ns > INT64_MAX)
			ret = drop(m, i);
		/* More time in fewer samples rests on nobody knows how many. */
		else if (r->count > INT64_MAX)
			r->count = 0;
	}
	return ret;
}

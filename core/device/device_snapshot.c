/*
 * Context: O.  Reads what has been counted so far into a model, for
 * device_files.c and the directories of proffs; see device_snapshot.h.
 */
#include "device_snapshot.h"

#include "read/read_inputs.h"

#include <string.h>

static void
note_snapshot_fault(void *device, const struct fault *f)
{
	device_note_once(device, f);
}

static bool
has_blocks(const struct device_snapshot *s, const struct model_row *r)
{
	return model_heap(&s->model, r)->total_blocks != 0;
}

/*
 * Returns whether the row counts time or blocks at an address: it is no caller,
 * and no time that is only known to have passed.
 */
static bool
is_counted_place(const struct device_snapshot *s, const struct model_row *r)
{
	return (r->ns != 0 || has_blocks(s, r)) && r->kind != MODEL_REST &&
	    r->kind != MODEL_CALLS && model_is_cpu(r->kind) &&
	    !model_is_caller(r->kind) && !model_has_no_address(r->module);
}

/* A module gets its number when a count is first seen in it. */
int
device_snapshot_number(struct device_snapshot *s, struct device *d)
{
	const struct model *m = &s->model;

	free(s->numbers);
	s->numbers = calloc(m->module_count + 1, sizeof(*s->numbers));
	if (s->numbers == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const uint32_t module = m->rows[i].module;

		if (s->numbers[module] != 0 || !is_counted_place(s,
		    &m->rows[i]) || !device_selects(d, m->modules[module].path))
			continue;
		s->numbers[module] = module_ids_assign(&d->catalogue,
		    &m->modules[module]);
		if (s->numbers[module] == 0)
			return -ENOMEM;
	}
	return 0;
}

int
device_snapshot_open(struct device_snapshot *s, struct device *d, int32_t pid,
    unsigned keep)
{
	struct input in = { 0 };
	struct fault f = { 0 };
	int ret;

	memset(s, 0, sizeof(*s));
	ret = model_init(&s->model, &s->filter, keep, DEMANGLE_SHORT);
	if (ret == 0 && device_profiles(d, pid, &in, &f) != 0)
		device_note_once(d, &f);
	if (ret == 0)
		ret = read_inputs(&s->model, &in, note_snapshot_fault, NULL, d);
	if (ret == 0)
		ret = device_snapshot_number(s, d);
	input_free(&in);
	return ret;
}

void
device_snapshot_close(struct device_snapshot *s)
{
	free(s->numbers);
	model_free(&s->model);
	filter_free(&s->filter);
}

bool
device_snapshot_has(const struct device_snapshot *s, const struct model_row *r,
    uint32_t module)
{
	const uint32_t number = s->numbers[r->module];

	return is_counted_place(s, r) && number != 0 &&
	    (module == 0 || number == module);
}

int
device_snapshot_modules(const struct device_snapshot *s, uint32_t **numbers,
    size_t *count)
{
	uint32_t most = 0, *all;
	bool *seen;

	for (size_t i = 0; i < s->model.module_count; i++)
		if (s->numbers[i] > most)
			most = s->numbers[i];
	all = calloc((size_t)most + 1, sizeof(*all));
	seen = calloc((size_t)most + 1, sizeof(*seen));
	*count = 0;
	for (size_t i = 0; seen != NULL && i < s->model.module_count; i++)
		seen[s->numbers[i]] = true;
	for (uint32_t n = 1; all != NULL && seen != NULL && n <= most; n++)
		if (seen[n])
			all[(*count)++] = n;
	*numbers = all;
	if (all == NULL || seen == NULL) {
		free(all);
		free(seen);
		*numbers = NULL;
		return -ENOMEM;
	}
	free(seen);
	return 0;
}

void
device_snapshot_filter(struct device_snapshot *s, const struct device *d,
    uint32_t module)
{
	struct model *m = &s->model;

	if (module == 0 && d->name_count == 0)
		return;
	for (size_t i = 0; i < m->row_count; i++)
		if (!device_snapshot_has(s, &m->rows[i], module))
			m->rows[i].ns = m->rows[i].count = 0;
}

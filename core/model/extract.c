/* Context: O.  Of one object what formats of other profilers can hold. */
#include "extract.h"

#include "bytes.h"
#include "grow.h"
#include "layout.h"
#include "order.h"
#include "ticks.h"

#include <string.h>

static int
extract_time(struct extract *e, const struct model_row *r)
{
	if (grow(&e->times, e->time_count, &e->time_room,
	    sizeof(*e->times)) != 0)
		return -ENOMEM;
	e->times[e->time_count++] = (struct extract_time) {
		.address = model_place(r), .ns = r->ns,
	};
	return 0;
}

static int
extract_call(struct extract *e, const struct model_arc *a)
{
	if (grow(&e->calls, e->call_count, &e->call_room,
	    sizeof(*e->calls)) != 0)
		return -ENOMEM;
	e->calls[e->call_count++] = (struct extract_call) {
		/* A return address; in the call for sure. */
		.from = a->from - 1,
		.self = a->self,
		.count = a->calls,
		.from_module = a->from_module,
	};
	return 0;
}

static int
time_compare(const void *left, const void *right)
{
	const struct extract_time *a = left, *b = right;

	return order(a->address, b->address);
}

static int
call_compare(const void *left, const void *right)
{
	const struct extract_call *a = left, *b = right;
	int d = order(a->self, b->self);

	if (d == 0)
		d = order(a->from_module, b->from_module);
	return d != 0 ? d : order(a->from, b->from);
}

static void
extract_merge_times(struct extract *e)
{
	size_t kept = 0;

	if (e->time_count == 0)
		return;
	qsort(e->times, e->time_count, sizeof(*e->times), time_compare);
	for (size_t i = 1; i < e->time_count; i++)
		if (e->times[i].address == e->times[kept].address)
			e->times[kept].ns += e->times[i].ns;
		else
			e->times[++kept] = e->times[i];
	e->time_count = kept + 1;
}

static void
extract_merge_calls(struct extract *e)
{
	size_t kept = 0;

	if (e->call_count == 0)
		return;
	qsort(e->calls, e->call_count, sizeof(*e->calls), call_compare);
	for (size_t i = 1; i < e->call_count; i++)
		if (call_compare(&e->calls[i], &e->calls[kept]) == 0)
			e->calls[kept].count += e->calls[i].count;
		else
			e->calls[++kept] = e->calls[i];
	e->call_count = kept + 1;
}

static void
extract_hold(struct extract *e, uint64_t address)
{
	if (address < e->low)
		e->low = address;
	if (address >= e->high)
		e->high = address + 1;
}

static void
extract_bound(struct extract *e)
{
	e->low = e->program.low;
	e->high = e->program.high;
	if (e->low >= e->high) {
		e->low = UINT64_MAX;
		e->high = 0;
	}
	for (size_t i = 0; i < e->time_count; i++)
		extract_hold(e, e->times[i].address);
	for (size_t i = 0; i < e->call_count; i++)
		extract_hold(e, e->calls[i].self);
	if (e->low >= e->high)
		e->low = e->high = 0;
	e->low -= e->low % EXTRACT_BIN;
	e->high += (e->high - e->low) % EXTRACT_BIN;
	if (e->high <= e->low)
		e->high = e->low + EXTRACT_BIN;
	if (e->program.outside == 0)
		e->program.outside = e->low;
}

/* A format without callers: they are somewhere else. */
static int
extract_orphans(struct extract *e, const struct model *m)
{
	uint64_t *known = calloc(m->row_count + 1, sizeof(*known));
	int ret = known == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < m->arc_count && ret == 0; i++)
		known[m->arcs[i].self_row] += m->arcs[i].calls;
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct model_row *r = &m->rows[i];
		const struct model_arc rest = {
			.self = r->address,
			.from_module = MODEL_MODULE_UNLISTED,
			.from = 1,
			.calls = r->calls - known[i],
		};

		if (r->module == e->module && rest.calls != 0)
			ret = extract_call(e, &rest);
	}
	free(known);
	return ret;
}

int
extract_make(struct extract *e, const struct model *m, uint32_t module)
{
	int ret = 0;

	memset(e, 0, sizeof(*e));
	e->module = module;
	if (!layout_program(&m->modules[module], &e->program))
		memset(&e->program, 0, sizeof(e->program));
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->module == module && r->ns != 0 &&
		    model_is_cpu(r->kind) && r->kind != MODEL_REST)
			ret = extract_time(e, r);
	}
	for (size_t i = 0; i < m->arc_count && ret == 0; i++)
		if (m->arcs[i].self_module == module)
			ret = extract_call(e, &m->arcs[i]);
	if (ret == 0)
		ret = extract_orphans(e, m);
	extract_merge_times(e);
	extract_merge_calls(e);
	extract_bound(e);
	return ret;
}

void
extract_free(struct extract *e)
{
	free(e->times);
	free(e->calls);
	memset(e, 0, sizeof(*e));
}

void
extract_close(struct extract *e)
{
	for (size_t i = 0; i < e->call_count; i++) {
		if (e->calls[i].from_module == e->module)
			continue;
		e->calls[i].from_module = e->module;
		e->calls[i].from = e->program.outside;
	}
	extract_merge_calls(e);
}

int
extract_bins(const struct extract *e, uint32_t rate, struct extract_bin **bins,
    size_t *count)
{
	struct ticks clock = ticks_at(rate);

	*count = 0;
	*bins = calloc(e->time_count + 1, sizeof(**bins));
	if (*bins == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < e->time_count; i++) {
		uint64_t index = (e->times[i].address - e->low) / EXTRACT_BIN;
		uint64_t ticks = ticks_whole(&clock, e->times[i].ns);

		if (ticks == 0)
			continue;
		if (*count == 0 || (*bins)[*count - 1].index != index)
			(*bins)[(*count)++].index = index;
		(*bins)[*count - 1].ticks += ticks;
	}
	return 0;
}

static void
put_zeros(FILE *out, uint64_t bytes)
{
	static const unsigned char zeros[4096];

	while (bytes != 0 && !ferror(out)) {
		size_t n = bytes < sizeof(zeros) ? (size_t)bytes :
		    sizeof(zeros);

		fwrite(zeros, 1, n, out);
		bytes -= n;
	}
}

void
extract_put_bins(FILE *out, const struct extract_bin *bins, size_t count,
    uint64_t all, uint64_t skip)
{
	uint64_t at = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t ticks = bins[i].ticks > skip ? bins[i].ticks - skip :
		    0;
		unsigned char number[2];

		put_zeros(out, 2 * (bins[i].index - at));
		bytes_put(number, ticks < UINT16_MAX ? ticks : UINT16_MAX, 2);
		fwrite(number, 1, sizeof(number), out);
		at = bins[i].index + 1;
	}
	put_zeros(out, 2 * (all - at));
}

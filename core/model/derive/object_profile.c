/*
 * Context: O.  The profile of a single object, for exporters of classic formats
 * and the listing; see object_profile.h.
 */
#include "derive/object_profile.h"

#include "bytes.h"
#include "base/compare.h"
#include "derive/address_layout.h"
#include "ticks.h"
#include "base/vector.h"

#include <string.h>

static int
add_object_time(struct object_profile *e, const struct model_row *r)
{
	if (vector_grow(&e->times, e->time_count, &e->time_room,
	    sizeof(*e->times)) != 0)
		return -ENOMEM;
	e->times[e->time_count++] = (struct object_profile_time) {
		.address = model_lookup_address(r), .ns = r->ns,
	};
	return 0;
}

static int
add_object_call(struct object_profile *e, const struct model_arc *a)
{
	if (vector_grow(&e->calls, e->call_count, &e->call_room,
	    sizeof(*e->calls)) != 0)
		return -ENOMEM;
	e->calls[e->call_count++] = (struct object_profile_call) {
		/* a return address; one byte before it is in the call */
		.from = a->from - 1,
		.self = a->self,
		.count = a->calls,
		.from_module = a->from_module,
	};
	return 0;
}

static int
compare_object_times(const void *left, const void *right)
{
	const struct object_profile_time *a = left, *b = right;

	return compare_u64(a->address, b->address);
}

static int
compare_object_calls(const void *left, const void *right)
{
	const struct object_profile_call *a = left, *b = right;
	int d = compare_u64(a->self, b->self);

	if (d == 0)
		d = compare_u64(a->from_module, b->from_module);
	return d != 0 ? d : compare_u64(a->from, b->from);
}

/* Sorts the times and merges those of one address. */
static void
merge_object_times(struct object_profile *e)
{
	size_t kept = 0;

	if (e->time_count == 0)
		return;
	qsort(e->times, e->time_count, sizeof(*e->times), compare_object_times);
	for (size_t i = 1; i < e->time_count; i++)
		if (e->times[i].address == e->times[kept].address)
			e->times[kept].ns += e->times[i].ns;
		else
			e->times[++kept] = e->times[i];
	e->time_count = kept + 1;
}

/* Sorts the calls and merges those of one caller and callee. */
static void
merge_object_calls(struct object_profile *e)
{
	size_t kept = 0;

	if (e->call_count == 0)
		return;
	qsort(e->calls, e->call_count, sizeof(*e->calls), compare_object_calls);
	for (size_t i = 1; i < e->call_count; i++)
		if (compare_object_calls(&e->calls[i], &e->calls[kept]) == 0)
			e->calls[kept].count += e->calls[i].count;
		else
			e->calls[++kept] = e->calls[i];
	e->call_count = kept + 1;
}

static void
extend_object_bounds(struct object_profile *e, uint64_t address)
{
	if (address < e->low)
		e->low = address;
	if (address >= e->high)
		e->high = address + 1;
}

/* Sets low and high to bounds that all code, times and callees lie in. */
static void
set_object_bounds(struct object_profile *e)
{
	e->low = e->program.low;
	e->high = e->program.high;
	if (e->low >= e->high) {
		e->low = UINT64_MAX;
		e->high = 0;
	}
	for (size_t i = 0; i < e->time_count; i++)
		extend_object_bounds(e, e->times[i].address);
	for (size_t i = 0; i < e->call_count; i++)
		extend_object_bounds(e, e->calls[i].self);
	if (e->low >= e->high)
		e->low = e->high = 0;
	e->low -= e->low % OBJECT_PROFILE_BIN;
	e->high += (e->high - e->low) % OBJECT_PROFILE_BIN;
	if (e->high <= e->low)
		e->high = e->low + OBJECT_PROFILE_BIN;
	if (e->program.outside == 0)
		e->program.outside = e->low;
}

/*
 * Adds calls without a known caller, from formats without callers: the row has
 * more calls than the arcs.  They are put into another module.  Returns 0 or
 * -ENOMEM.
 */
static int
add_callerless_calls(struct object_profile *e, const struct model *m)
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
			ret = add_object_call(e, &rest);
	}
	free(known);
	return ret;
}

int
object_profile_make(struct object_profile *e, const struct model *m,
    uint32_t module)
{
	int ret = 0;

	memset(e, 0, sizeof(*e));
	e->module = module;
	if (!address_layout_read(&m->modules[module], &e->program))
		memset(&e->program, 0, sizeof(e->program));
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->module == module && r->ns != 0 &&
		    model_is_cpu(r->kind) && r->kind != MODEL_REST)
			ret = add_object_time(e, r);
	}
	for (size_t i = 0; i < m->arc_count && ret == 0; i++)
		if (m->arcs[i].self_module == module)
			ret = add_object_call(e, &m->arcs[i]);
	if (ret == 0)
		ret = add_callerless_calls(e, m);
	merge_object_times(e);
	merge_object_calls(e);
	set_object_bounds(e);
	return ret;
}

void
object_profile_free(struct object_profile *e)
{
	free(e->times);
	free(e->calls);
	memset(e, 0, sizeof(*e));
}

void
object_profile_close(struct object_profile *e)
{
	for (size_t i = 0; i < e->call_count; i++) {
		if (e->calls[i].from_module == e->module)
			continue;
		e->calls[i].from_module = e->module;
		e->calls[i].from = e->program.outside;
	}
	merge_object_calls(e);
}

int
object_profile_bins(const struct object_profile *e, uint32_t rate,
    struct object_profile_bin **bins, size_t *count)
{
	struct ticks clock = ticks_at(rate);

	*count = 0;
	*bins = calloc(e->time_count + 1, sizeof(**bins));
	if (*bins == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < e->time_count; i++) {
		uint64_t index =
		    (e->times[i].address - e->low) / OBJECT_PROFILE_BIN;
		uint64_t ticks = ticks_whole(&clock, e->times[i].ns);

		if (ticks == 0)
			continue;
		if (*count == 0 || (*bins)[*count - 1].index != index)
			(*bins)[(*count)++].index = index;
		(*bins)[*count - 1].ticks += ticks;
	}
	return 0;
}

/* Writes that many bytes of 0, or stops at an error of `out`. */
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
object_profile_put_bins(FILE *out, const struct object_profile_bin *bins,
    size_t count, uint64_t all, uint64_t skip)
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

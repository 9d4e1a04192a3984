/*
 * Context: O.  Chooses the values of pprof's samples, for pprof.c; see
 * pprof_values.h.
 */
#include "pprof_values.h"

/* Returns how many ns a unit is, 0 if it is no time. */
static uint64_t
unit_ns(const struct pprof_tables *t, uint64_t unit)
{
	/* The units that pprof knows. */
	static const struct {
		const char *name, *all, *brief;
		uint64_t ns;
	} units[] = {
		{ "nanosecond", "nanoseconds", "ns", 1 },
		{ "microsecond", "microseconds", "us", 1000 },
		{ "millisecond", "milliseconds", "ms", 1000000 },
		{ "second", "seconds", "s", 1000000000 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (pprof_text_is(t, unit, units[i].name) ||
		    pprof_text_is(t, unit, units[i].all) ||
		    pprof_text_is(t, unit, units[i].brief))
			return units[i].ns;
	return 0;
}

/*
 * Returns the time that a sample stands for, the period, in ns, or 0 if that is
 * no time.
 */
static uint64_t
period_ns(const struct pprof_tables *t)
{
	const uint64_t each = unit_ns(t, t->period_type.unit);

	return each == 0 || t->period > UINT64_MAX / 4 / each ? 0 :
	    each * t->period;
}

bool
pprof_values_choose(struct pprof_values *v, const struct pprof_tables *t,
    struct text choice)
{
	struct text want = choice.at != NULL ? choice :
	    pprof_text(t, t->default_type);

	v->chosen = t->type_count - 1;
	for (size_t i = 0; i < t->type_count; i++) {
		const struct text own = pprof_text(t, t->types[i].type);

		if (pprof_text_is(t, t->types[i].unit, "count") &&
		    pprof_text_is(t, t->types[i].type, "samples"))
			v->counts = i + 1;
		if (want.at != NULL && text_equal(own, want)) {
			v->chosen = i;
			want.at = NULL;
		}
	}
	return want.at == NULL || choice.at == NULL;
}

void
pprof_values_set_unit(const struct pprof_values *v,
    const struct pprof_tables *t, struct import *x)
{
	const struct pprof_type *type = &t->types[v->chosen];

	x->unit = pprof_text(t, type->type);
	x->each_ns = unit_ns(t, type->unit);
	x->asleep = x->each_ns != 0 && pprof_text_is(t, type->type, "sleep");
	if (v->counts == v->chosen + 1)
		x->each_ns = period_ns(t);
}

/* Context: O.  Where numbers come from that no libmon.so counted. */
#include "origin.h"

#include "grow.h"

#include <inttypes.h>

static struct model_origin *
origin_find(const struct model *m, const struct model_origin *like)
{
	for (size_t i = 0; i < m->origin_count; i++) {
		struct model_origin *o = &m->origins[i];

		if (o->kind == like->kind && o->wide == like->wide &&
		    o->big == like->big && o->rate == like->rate)
			return o;
	}
	return NULL;
}

int
origin_add(struct model *m, const struct model_origin *origin)
{
	struct model_origin *o = origin_find(m, origin);

	if (o == NULL) {
		if (grow(&m->origins, m->origin_count, &m->origin_room,
		    sizeof(*o)) != 0)
			return -ENOMEM;
		o = &m->origins[m->origin_count++];
		*o = *origin;
		o->files = o->ticks = o->calls = 0;
	}
	o->files++;
	o->ticks += origin->ticks;
	o->calls += origin->calls;
	return 0;
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

void
origin_print(FILE *out, const struct model *m)
{
	for (size_t i = 0; i < m->origin_count; i++) {
		const struct model_origin *o = &m->origins[i];

		fprintf(out, "%" PRIu64 " file%s of another profiler: %s, %d "
		    "bits, %s-endian; ", o->files, plural(o->files),
		    classic_name(o->kind), o->wide ? 64 : 32,
		    o->big ? "big" : "little");
		if (o->ticks == 0)
			fprintf(out, "no ticks");
		else
			fprintf(out, "%" PRIu64 " tick%s, %" PRIu32
			    " a second%s", o->ticks, plural(o->ticks),
			    o->rate != 0 ? o->rate : ORIGIN_RATE,
			    o->rate != 0 ? "" : " assumed");
		fprintf(out, ", %" PRIu64 " call%s\n", o->calls,
		    plural(o->calls));
	}
}

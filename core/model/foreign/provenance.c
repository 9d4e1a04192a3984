/*
 * Context: O.  Keeps and prints which files of other profilers the numbers come
 * from; see provenance.h.  Readers add, the report prints.
 */
#include "foreign/provenance.h"

#include "base/plural.h"
#include "base/vector.h"

#include <inttypes.h>
#include <string.h>

/* Returns the origin that a classic file shares, or NULL. */
static struct model_classic *
find_classic_origin(const struct model *m, const struct model_classic *like)
{
	for (size_t i = 0; i < m->origin_count; i++) {
		struct model_classic *o = &m->origins[i];

		if (o->kind == like->kind && o->wide == like->wide &&
		    o->big == like->big && o->rate == like->rate)
			return o;
	}
	return NULL;
}

int
provenance_add(struct model *m, const struct model_classic *origin)
{
	struct model_classic *o = find_classic_origin(m, origin);

	if (o == NULL) {
		if (vector_grow(&m->origins, m->origin_count, &m->origin_room,
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

/* Returns the origin that a file shares, or NULL. */
static struct model_import *
find_import_origin(const struct model *m, const struct model_import *like)
{
	for (size_t i = 0; i < m->import_count; i++) {
		struct model_import *o = &m->imports[i];

		/* These texts are single copies, so pointers are compared. */
		if (o->format == like->format && o->unit == like->unit &&
		    o->each_ns == like->each_ns && o->timed == like->timed)
			return o;
	}
	return NULL;
}

int
provenance_add_import(struct model *m, const struct model_import *import)
{
	struct model_import *o = find_import_origin(m, import);

	if (o == NULL) {
		if (vector_grow(&m->imports, m->import_count, &m->import_room,
		    sizeof(*o)) != 0)
			return -ENOMEM;
		o = &m->imports[m->import_count++];
		*o = *import;
		o->files = 1;
		return 0;
	}
	o->files++;
	o->samples += import->samples;
	o->value += import->value;
	o->calls += import->calls;
	o->others += import->others;
	o->below |= import->below;
	o->rounded += import->rounded;
	return 0;
}

/* Prints what the values of these files count. */
static void
print_import_unit(FILE *out, const struct model_import *o)
{
	const uint64_t ns = o->each_ns;

	if (!o->timed)
		fprintf(out, "; no time: %" PRId64 " %s, taken as 1 %s each",
		    (int64_t)o->value, o->unit != NULL ? o->unit :
		    "of an unknown unit", ns == 1000000 ? "ms" :
		    ns == 1000 ? "us" : "ns");
	else if (strcmp(o->unit, "samples") == 0)
		fprintf(out, ", %.4f ms each", (double)ns / 1e6);
	else
		fprintf(out, "%s %s", o->samples == 0 ? "; time in" : " of",
		    o->unit);
}

static void
print_import(FILE *out, const struct model_import *o)
{
	fprintf(out, "%" PRIu64 " file%s of another profiler: %s", o->files,
	    plural_suffix(o->files), o->format);
	if (o->samples != 0)
		fprintf(out, "; %" PRIu64 " sample%s", o->samples,
		    plural_suffix(o->samples));
	print_import_unit(out, o);
	if (o->others != 0)
		fprintf(out, "; %" PRIu64 " sample%s of other events left out",
		    o->others, plural_suffix(o->others));
	if (o->calls != 0)
		fprintf(out, "; %" PRIu64 " call%s", o->calls,
		    plural_suffix(o->calls));
	if (o->rounded != 0)
		fprintf(out, "; %" PRIu64 " number%s rounded", o->rounded,
		    plural_suffix(o->rounded));
	putc('\n', out);
}

void
provenance_print(FILE *out, const struct model *m)
{
	for (size_t i = 0; i < m->origin_count; i++) {
		const struct model_classic *o = &m->origins[i];

		fprintf(out, "%" PRIu64 " file%s of another profiler: %s, %d "
		    "bits, %s-endian; ", o->files, plural_suffix(o->files),
		    classic_name(o->kind), o->wide ? 64 : 32,
		    o->big ? "big" : "little");
		if (o->ticks == 0)
			fprintf(out, "no ticks");
		else
			fprintf(out, "%" PRIu64 " tick%s, %"
			    PRIu32 " a second%s", o->ticks,
			    plural_suffix(o->ticks), o->rate != 0 ?
			    o->rate : PROVENANCE_RATE, o->rate != 0 ? "" :
			    " assumed");
		fprintf(out, ", %" PRIu64 " call%s\n", o->calls,
		    plural_suffix(o->calls));
	}
	for (size_t i = 0; i < m->import_count; i++)
		print_import(out, &m->imports[i]);
}

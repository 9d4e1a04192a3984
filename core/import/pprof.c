/*
 * Context: O.  Reader of profile.proto, as go tool pprof and related tools use
 * it.  import_open() and import_read() call it; pprof_tables.c and
 * pprof_values.c are its parts.
 *
 * It is read field by field: a library that unpacks it whole needs many times
 * its size.  Tables can follow the samples, so they are read first.
 */
#include "pprof_tables.h"
#include "pprof_values.h"
#include "base/vector.h"

/* Most functions inlined at one place; no compiler comes near it. */
#define PPROF_INLINED	256

/* State while a file is read. */
struct pprof {
	struct import *x;
	const struct import_sink *sink;
	struct fault *fault;
	struct pprof_tables tables;
	struct pprof_values values;
	struct import_frame *frames;
	size_t room;
	struct import_sample sample;
	size_t value_count;
	const char *objection;	/* fault of the current sample; NULL: none */
};

/* Sets *p->fault; at: the place in the file.  Returns -EINVAL. */
static int
pprof_fault(const struct pprof *p, const char *what, const unsigned char *at)
{
	return fault_set(p->fault, what, p->x->inflated != NULL ?
	    FAULT_NO_OFFSET : (uint64_t)(at - p->x->bytes), 0);
}

static struct wire
all_of(const struct import *x)
{
	return (struct wire) { x->bytes, x->bytes + x->size };
}

/*
 * Returns where the first page of the mapped file is mapped: the highest
 * mapping of its start that is not above m; 0 if there is none.
 */
static uint64_t
head_of(const struct pprof *p, const struct pprof_mapping *m)
{
	const struct text file = pprof_text(&p->tables, m->file);
	uint64_t head = 0;

	for (size_t i = 0; i < p->tables.mapping_count; i++) {
		const struct pprof_mapping *other = &p->tables.mappings[i];

		if (other->offset == 0 && other->start <= m->start &&
		    other->start > head && text_equal(file,
		    pprof_text(&p->tables, other->file)))
			head = other->start;
	}
	return head;
}

/*
 * Fills *to from the mapping of the location; leaves it as it was if the file
 * has none.
 */
static void
set_module(const struct pprof *p, const struct pprof_location *l,
    struct import_module *to)
{
	const struct pprof_mapping *m = pprof_mapping(&p->tables, l->mapping);

	if (m == NULL)
		return;
	to->path = pprof_text(&p->tables, m->file);
	to->build_id = pprof_text(&p->tables, m->build_id);
	to->start = m->start;
	to->end = m->limit;
	to->offset = m->offset;
	to->head = head_of(p, m);
}

/* Fills name, file and line of *to from a line of a location. */
static void
set_line(const struct pprof *p, struct wire body, struct import_frame *to)
{
	const struct pprof_function *own = NULL;
	struct wire_field f;

	while (wire_next(&body, &f) == 1) {
		if (f.type == WIRE_NUMBER && f.number == 1)
			own = pprof_function(&p->tables, f.value);
		if (f.type == WIRE_NUMBER && f.number == 2)
			to->line = f.value <= UINT32_MAX ? (uint32_t)f.value :
			    0;
	}
	if (own == NULL)
		return;
	to->name = pprof_text(&p->tables, own->system_name);
	if (to->name.at == NULL)
		to->name = pprof_text(&p->tables, own->name);
	to->file = pprof_text(&p->tables, own->file);
}

/* Adds a frame to the sample.  Returns 0, or -ENOMEM with *p->fault set. */
static int
add_frame(struct pprof *p, const struct import_frame *frame)
{
	struct import_sample *s = &p->sample;

	if (vector_grow(&p->frames, s->depth, &p->room,
	    sizeof(*p->frames)) != 0)
		return fault_set_no_memory(p->fault);
	p->frames[s->depth++] = *frame;
	return 0;
}

/*
 * Adds the frames of a location, from the innermost inlined function on.
 * Returns as add_frame().
 */
static int
add_location(struct pprof *p, const struct pprof_location *l)
{
	struct wire body = l->body;
	struct import_frame frame = import_unknown_frame();
	struct wire_field f;
	size_t lines = 0;
	int ret = 0;

	frame.address = l->address;
	set_module(p, l, &frame.module);
	while (ret == 0 && wire_next(&body, &f) == 1) {
		if (f.number != 4 || f.type != WIRE_BYTES)
			continue;
		if (lines++ == PPROF_INLINED) {
			p->objection = "too many functions are inlined at a "
			    "place";
			break;
		}
		frame.name.at = frame.file.at = NULL;
		frame.line = 0;
		frame.inlined = true;
		set_line(p, f.bytes, &frame);
		ret = add_frame(p, &frame);
	}
	if (ret == 0 && lines == 0)
		ret = add_frame(p, &frame);
	if (ret == 0)
		p->frames[p->sample.depth - 1].inlined = false;
	return ret;
}

/*
 * Adds the frames of a location by its id.  An unknown frame stands in place of
 * a location that is missing.  Returns as add_frame().
 */
static int
add_id(struct pprof *p, uint64_t id)
{
	const struct pprof_location *l = pprof_location(&p->tables, id);
	const struct import_frame unknown = import_unknown_frame();

	if (l != NULL)
		return add_location(p, l);
	import_skip(p->x, "a sample names a location that does not exist");
	return add_frame(p, &unknown);
}

/* Takes the next value of the sample, if it is one of the chosen ones. */
static int
add_value(struct pprof *p, uint64_t value)
{
	const size_t i = p->value_count++;

	if (i == p->values.chosen)
		p->sample.value = (int64_t)value;
	if (i + 1 == p->values.counts)
		p->sample.count = (int64_t)value;
	return 0;
}

typedef int take_number(struct pprof *p, uint64_t value);

/*
 * Reads a field of numbers, packed or one at a time, and gives each to `take`.
 * Returns 0 or what `take` returned.
 */
static int
take_numbers(struct pprof *p, struct wire_field *f, take_number *take)
{
	uint64_t value;
	int ret = 0, got = 0;

	if (f->type == WIRE_NUMBER)
		return take(p, f->value);
	if (f->type != WIRE_BYTES)
		return 0;
	while (ret == 0 && (got = wire_number(&f->bytes, &value)) == 1)
		ret = take(p, value);
	if (got < 0)
		p->objection = "a number is cut short";
	return ret;
}

/* The fields of a label: its key, and a text or a number. */
enum pprof_label { PPROF_LABEL_KEY = 1, PPROF_LABEL_TEXT, PPROF_LABEL_NUMBER,
    PPROF_LABEL_FIELDS };

/*
 * Returns the id in a label, which some writers store as a text; IMPORT_NO_PID
 * if it is none.
 */
static int32_t
label_id(const struct pprof *p, const uint64_t label[PPROF_LABEL_FIELDS])
{
	struct text text = pprof_text(&p->tables, label[PPROF_LABEL_TEXT]);
	uint64_t id = label[PPROF_LABEL_NUMBER];

	if (label[PPROF_LABEL_TEXT] != 0 && (!text_parse_number(&text, 10,
	    &id) || text.bytes != 0))
		return IMPORT_NO_PID;
	return id <= INT32_MAX ? (int32_t)id : IMPORT_NO_PID;
}

/* Reads a label: process and thread, as prof writes them. */
static void
take_label(struct pprof *p, struct wire body)
{
	uint64_t label[PPROF_LABEL_FIELDS] = { 0 };
	struct import_sample *s = &p->sample;
	struct wire_field f;
	struct text key;

	while (wire_next(&body, &f) == 1)
		if (f.type == WIRE_NUMBER && f.number < PPROF_LABEL_FIELDS)
			label[f.number] = f.value;
	key = pprof_text(&p->tables, label[PPROF_LABEL_KEY]);
	if (text_equal_str(key, "process"))
		s->program = pprof_text(&p->tables, label[PPROF_LABEL_TEXT]);
	if (text_equal_str(key, "thread"))
		s->thread = pprof_text(&p->tables, label[PPROF_LABEL_TEXT]);
	if (text_equal_str(key, "pid"))
		s->pid = label_id(p, label);
	if (text_equal_str(key, "tid"))
		s->tid = label_id(p, label);
}

/* Reads the fields of a sample; p->objection says why one cannot be read. */
static int
take_fields(struct pprof *p, struct wire body)
{
	struct wire_field f;
	int ret = 0, got;

	while (ret == 0 && (got = wire_next(&body, &f)) != 0) {
		if (got < 0) {
			p->objection = "a sample is cut short";
			return 0;
		}
		if (f.number == 1)
			ret = take_numbers(p, &f, add_id);
		else if (f.number == 2)
			ret = take_numbers(p, &f, add_value);
		else if (f.number == 3 && f.type == WIRE_BYTES)
			take_label(p, f.bytes);
	}
	return ret;
}

/*
 * Hands a sample to the sink, or skips it if it is wrong.  Returns as
 * import_read().
 */
static int
take_sample(struct pprof *p, struct wire body)
{
	int ret;

	p->sample = (struct import_sample) {
		.pid = IMPORT_NO_PID, .tid = IMPORT_NO_PID,
	};
	p->value_count = 0;
	p->objection = NULL;
	p->x->offset = (uint64_t)(body.at - p->x->bytes);
	ret = take_fields(p, body);
	if (ret != 0)
		return ret;
	if (p->objection == NULL && p->value_count != p->tables.type_count)
		p->objection = "a sample has another number of values than "
		    "there are types";
	if (p->objection != NULL) {
		import_skip(p->x, p->objection);
		return 0;
	}
	p->x->taken++;
	p->sample.frames = p->frames;
	return p->sink->sample(p->sink->arg, &p->sample);
}

/* Reads all samples up to the end or the cut.  Returns as import_read(). */
static int
take_samples(struct pprof *p)
{
	struct wire all = all_of(p->x);
	struct wire_field f;
	int ret = 0, got = 0;

	while (ret == 0 && (got = wire_next(&all, &f)) == 1)
		if (f.number == PPROF_SAMPLE && f.type == WIRE_BYTES)
			ret = take_sample(p, f.bytes);
	if (got < 0) {
		p->x->offset = (uint64_t)(all.at - p->x->bytes);
		import_skip(p->x, "the file is cut short");
	}
	return ret;
}

/*
 * Returns whether a file that is cut short can be read up to the cut: it needs
 * the types of values, and the empty string that comes first.
 */
static bool
is_profile(const struct pprof_tables *t)
{
	return t->type_count != 0 && t->string_count != 0 &&
	    t->strings[0].bytes == 0;
}

bool
pprof_is(const struct import *x)
{
	struct pprof_tables t = { 0 };
	const unsigned char *at;
	const int ret = pprof_tables_read(&t, all_of(x), &at);
	const bool is = is_profile(&t) && (ret == 0 || (ret == -EINVAL &&
	    (size_t)(at - x->bytes) > x->size / 2));

	pprof_tables_free(&t);
	return is;
}

int
pprof_read(struct import *x, const struct import_sink *sink, struct fault *f)
{
	struct pprof p = { .x = x, .sink = sink, .fault = f };
	const unsigned char *at;
	int ret = pprof_tables_read(&p.tables, all_of(x), &at);

	if (ret == -ENOMEM)
		ret = fault_set_no_memory(f);
	else if (ret != 0 && !is_profile(&p.tables))
		ret = pprof_fault(&p, "is not a profile of pprof", at);
	else if (p.tables.type_count == 0)
		ret = pprof_fault(&p,
		    "is not a profile of pprof: it has no types of values",
		    x->bytes);
	else if (!pprof_values_choose(&p.values, &p.tables, x->choice)) {
		ret = pprof_fault(&p, "there is no such type of values",
		    x->bytes);
		f->remedy = "go tool pprof -raw names its types";
	} else {
		pprof_values_set_unit(&p.values, &p.tables, x);
		ret = take_samples(&p);
	}
	free(p.frames);
	pprof_tables_free(&p.tables);
	return ret;
}

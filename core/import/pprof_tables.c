/*
 * Context: O.  Reads the tables of profile.proto, for pprof.c; see
 * pprof_tables.h.
 */
#include "pprof_tables.h"

#include "base/vector.h"

/*
 * Reads the numbers of a message by field: field n to to[n].  Fields that have
 * no room there, or are no numbers, are skipped.  Returns 0 or -EINVAL.
 */
static int
read_numbers(struct wire body, uint64_t *to, size_t room)
{
	struct wire_field f;
	int ret;

	while ((ret = wire_next(&body, &f)) == 1)
		if (f.type == WIRE_NUMBER && f.number < room)
			to[f.number] = f.value;
	return ret;
}

/*
 * Enters the id of element `number` into an index.  The first thing with an id
 * counts.  Returns 0 or -ENOMEM.
 */
static int
index_pprof_id(struct hash_index *f, uint64_t id, size_t number)
{
	return number >= HASH_INDEX_NONE - 1 ? -ENOMEM :
	    hash_index_add(f, hash_index_hash(id), (uint32_t)number);
}

/*
 * Adds a type of values to its table, as those below do with theirs.  Returns
 * 0, -EINVAL or -ENOMEM.
 */
static int
add_type(struct pprof_tables *t, struct wire body)
{
	uint64_t n[3] = { 0 };
	int ret = read_numbers(body, n, 3);

	if (ret == 0)
		ret = vector_grow(&t->types, t->type_count, &t->type_room,
		    sizeof(*t->types));
	if (ret == 0)
		t->types[t->type_count++] = (struct pprof_type) { n[1], n[2] };
	return ret;
}

static int
set_period_type(struct pprof_tables *t, struct wire body)
{
	uint64_t n[3] = { 0 };
	int ret = read_numbers(body, n, 3);

	t->period_type = (struct pprof_type) { n[1], n[2] };
	return ret;
}

static int
add_mapping(struct pprof_tables *t, struct wire body)
{
	uint64_t n[7] = { 0 };
	int ret = read_numbers(body, n, 7);

	if (ret == 0)
		ret = vector_grow(&t->mappings, t->mapping_count,
		    &t->mapping_room, sizeof(*t->mappings));
	if (ret == 0)
		ret = index_pprof_id(&t->mapping_of, n[1], t->mapping_count);
	if (ret == 0)
		t->mappings[t->mapping_count++] = (struct pprof_mapping) {
			n[1], n[2], n[3], n[4], n[5], n[6] };
	return ret;
}

static int
add_function(struct pprof_tables *t, struct wire body)
{
	uint64_t n[5] = { 0 };
	int ret = read_numbers(body, n, 5);

	if (ret == 0)
		ret = vector_grow(&t->functions, t->function_count,
		    &t->function_room, sizeof(*t->functions));
	if (ret == 0)
		ret = index_pprof_id(&t->function_of, n[1], t->function_count);
	if (ret == 0)
		t->functions[t->function_count++] = (struct pprof_function) {
			n[1], n[2], n[3], n[4] };
	return ret;
}

static int
add_location(struct pprof_tables *t, struct wire body)
{
	uint64_t n[4] = { 0 };
	int ret = read_numbers(body, n, 4);

	if (ret == 0)
		ret = vector_grow(&t->locations, t->location_count,
		    &t->location_room, sizeof(*t->locations));
	if (ret == 0)
		ret = index_pprof_id(&t->location_of, n[1], t->location_count);
	if (ret == 0)
		t->locations[t->location_count++] = (struct pprof_location) {
			n[1], n[2], n[3], body };
	return ret;
}

static int
add_string(struct pprof_tables *t, struct wire body)
{
	int ret = vector_grow(&t->strings, t->string_count, &t->string_room,
	    sizeof(*t->strings));

	if (ret == 0)
		t->strings[t->string_count++] = (struct text) {
			(const char *)body.at, (size_t)(body.end - body.at) };
	return ret;
}

/*
 * Adds what a field of the profile has to its table.  Returns 0, -EINVAL or
 * -ENOMEM.
 */
static int
add_part(struct pprof_tables *t, const struct wire_field *f)
{
	switch (f->number) {
	case PPROF_SAMPLE_TYPE:
		return add_type(t, f->bytes);
	case PPROF_MAPPING:
		return add_mapping(t, f->bytes);
	case PPROF_LOCATION:
		return add_location(t, f->bytes);
	case PPROF_FUNCTION:
		return add_function(t, f->bytes);
	case PPROF_STRING:
		return add_string(t, f->bytes);
	case PPROF_PERIOD_TYPE:
		return set_period_type(t, f->bytes);
	default:
		return 0;
	}
}

int
pprof_tables_read(struct pprof_tables *t, struct wire all,
    const unsigned char **at)
{
	struct wire_field f;
	int ret;

	for (*at = all.at; (ret = wire_next(&all, &f)) == 1; *at = all.at) {
		if (f.type == WIRE_BYTES)
			ret = add_part(t, &f);
		else if (f.type == WIRE_NUMBER && f.number == PPROF_PERIOD)
			t->period = f.value;
		else if (f.type == WIRE_NUMBER &&
		    f.number == PPROF_DEFAULT_TYPE)
			t->default_type = f.value;
		if (ret < 0)
			return ret;
	}
	return ret;
}

void
pprof_tables_free(struct pprof_tables *t)
{
	free(t->types);
	free(t->mappings);
	free(t->functions);
	free(t->locations);
	free(t->strings);
	hash_index_free(&t->mapping_of);
	hash_index_free(&t->function_of);
	hash_index_free(&t->location_of);
	memset(t, 0, sizeof(*t));
}

/*
 * Returns the element with an id, or NULL.  all: array of elements of `each`
 * bytes that begin with their id, which are in the index `of`.
 */
static const void *
find_by_id(const struct hash_index *of, const void *all, size_t each,
    uint64_t id)
{
	const uint32_t hash = hash_index_hash(id);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(of, hash, &at)) !=
	    HASH_INDEX_NONE;) {
		const unsigned char *own = (const unsigned char *)all +
		    n * each;
		uint64_t own_id;

		memcpy(&own_id, own, sizeof(own_id));
		if (own_id == id)
			return own;
	}
	return NULL;
}

const struct pprof_mapping *
pprof_mapping(const struct pprof_tables *t, uint64_t id)
{
	_Static_assert(offsetof(struct pprof_mapping, id) == 0, "find_by_id");
	return find_by_id(&t->mapping_of, t->mappings, sizeof(*t->mappings),
	    id);
}

const struct pprof_function *
pprof_function(const struct pprof_tables *t, uint64_t id)
{
	_Static_assert(offsetof(struct pprof_function, id) == 0, "find_by_id");
	return find_by_id(&t->function_of, t->functions, sizeof(*t->functions),
	    id);
}

const struct pprof_location *
pprof_location(const struct pprof_tables *t, uint64_t id)
{
	_Static_assert(offsetof(struct pprof_location, id) == 0, "find_by_id");
	return find_by_id(&t->location_of, t->locations, sizeof(*t->locations),
	    id);
}

struct text
pprof_text(const struct pprof_tables *t, uint64_t string)
{
	return string >= t->string_count || t->strings[string].bytes == 0 ?
	    (struct text) { 0 } : t->strings[string];
}

bool
pprof_text_is(const struct pprof_tables *t, uint64_t string, const char *word)
{
	const struct text own = pprof_text(t, string);

	return own.at != NULL && text_equal_str(own, word);
}

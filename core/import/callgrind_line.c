/*
 * Context: O.  Parses the compressed parts of callgrind.out, names and
 * positions, for callgrind.c and callgrind_header.c; see callgrind_line.h.
 */
#include "callgrind_line.h"

#include "base/vector.h"

/* Returns the record of the name that has the number, or NULL. */
static struct callgrind_line_name *
find_callgrind_name(struct callgrind_line_names *n, uint64_t number)
{
	const uint32_t hash = hash_index_hash(number);
	uint32_t k;

	for (size_t at = hash; (k = hash_index_next(&n->by_number, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (n->all[k].number == number)
			return &n->all[k];
	return NULL;
}

/*
 * Records the name of a number.  The last name counts, as a file can have
 * several parts.  Returns 0 or -ENOMEM.
 */
static int
define_callgrind_name(struct callgrind_line_names *n, uint64_t number,
    struct text text)
{
	struct callgrind_line_name *own = find_callgrind_name(n, number);

	if (own == NULL) {
		if (n->count >= HASH_INDEX_NONE - 1 || vector_grow(&n->all,
		    n->count, &n->room, sizeof(*n->all)) != 0 ||
		    hash_index_add(&n->by_number, hash_index_hash(number),
		    (uint32_t)n->count) != 0)
			return -ENOMEM;
		own = &n->all[n->count++];
		own->number = number;
	}
	own->text = text;
	return 0;
}

/* Note that "(below main)" is a name, not a number. */
int
callgrind_line_name(struct callgrind_line_names *n, struct text t,
    struct text *name)
{
	const struct callgrind_line_name *own;
	struct text rest = t;
	uint64_t number;

	*name = text_trim(t);
	if (!text_skip_prefix(&rest, "(") || !text_parse_number(&rest, 10,
	    &number) || !text_skip_prefix(&rest, ")"))
		return 0;
	*name = text_trim(rest);
	if (name->bytes != 0)
		return define_callgrind_name(n, number, *name);
	own = find_callgrind_name(n, number);
	if (own == NULL)
		return -EINVAL;
	*name = own->text;
	return 0;
}

void
callgrind_line_names_free(struct callgrind_line_names *n)
{
	free(n->all);
	hash_index_free(&n->by_number);
	memset(n, 0, sizeof(*n));
}

/* Parses a number, in hex after "0x". */
static bool
parse_dec_or_hex(struct text word, uint64_t *value)
{
	const unsigned base = text_skip_prefix(&word, "0x") ? 16 : 10;

	return text_parse_number(&word, base, value) && word.bytes == 0;
}

/*
 * Parses the position of kind i: a number, "*", or "+3" or "-2" from that of
 * the line before.  Returns false if it is none.
 */
static bool
parse_position(struct text word, struct callgrind_line_columns *c, unsigned i,
    struct callgrind_line_cost *cost)
{
	const uint64_t last = c->last.at[i];
	uint64_t by = 0;
	const bool more = text_skip_prefix(&word, "+");
	const bool less = !more && text_skip_prefix(&word, "-");

	if (!text_equal_str(word, "*") || more || less) {
		if (!parse_dec_or_hex(word, &by) || (less && by > last))
			return false;
		cost->is_known[i] = !(more || less) || c->last.is_known[i];
		cost->at[i] = more ? last + by : less ? last - by : by;
	}
	return true;
}

/*
 * Parses the cost of the chosen event among the costs t.  Costs of 0 at the end
 * of a line can be missing.  Returns false if it is no number, or if there are
 * more costs than events.
 */
static bool
parse_event_cost(const struct callgrind_line_columns *c, struct text t,
    int64_t *value)
{
	struct text word = { 0 }, own;
	uint64_t hex;
	size_t i;

	*value = 0;
	for (i = 0; t.bytes != 0; i++) {
		own = text_next_word(&t);
		if (i == c->chosen)
			word = own;
	}
	if (c->events != 0 && i > c->events)
		return false;
	if (word.at == NULL || text_parse_signed(word, value))
		return true;
	if (!parse_dec_or_hex(word, &hex) || hex > INT64_MAX)
		return false;
	*value = (int64_t)hex;
	return true;
}

bool
callgrind_line_is_cost(struct text line)
{
	return text_is_digit(*line.at) || *line.at == '+' || *line.at == '-' ||
	    *line.at == '*';
}

bool
callgrind_line_cost(struct callgrind_line_columns *c, struct text line,
    struct callgrind_line_cost *cost)
{
	struct text t = text_trim(line);

	*cost = c->last;
	for (unsigned i = 0; i < CALLGRIND_POSITIONS; i++)
		if (c->has[i] && !parse_position(text_next_word(&t), c, i,
		    cost)) {
			memset(c->last.is_known, 0, sizeof(c->last.is_known));
			return false;
		}
	c->last = *cost;
	return parse_event_cost(c, t, &cost->value);
}

bool
callgrind_line_value(const struct callgrind_line_columns *c, struct text costs,
    int64_t *value)
{
	return parse_event_cost(c, text_trim(costs), value);
}

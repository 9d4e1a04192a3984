/* Context: O.  What is compressed in callgrind.out: names and positions. */
#include "callgrind.h"

#include "grow.h"

static struct callgrind_name *
find(struct callgrind_names *n, uint64_t number)
{
	const uint32_t hash = finder_hash(number);
	uint32_t k;

	for (size_t at = hash; (k = finder_next(&n->by_number, hash, &at)) !=
	    FINDER_NONE;)
		if (n->all[k].number == number)
			return &n->all[k];
	return NULL;
}

/* The last name of a number holds: a file can have several parts. */
static int
define(struct callgrind_names *n, uint64_t number, struct text text)
{
	struct callgrind_name *own = find(n, number);

	if (own == NULL) {
		if (n->count >= FINDER_NONE - 1 || grow(&n->all, n->count,
		    &n->room, sizeof(*n->all)) != 0 ||
		    finder_add(&n->by_number, finder_hash(number),
		    (uint32_t)n->count) != 0)
			return -ENOMEM;
		own = &n->all[n->count++];
		own->number = number;
	}
	own->text = text;
	return 0;
}

/* "(below main)" is a name. */
int
callgrind_name(struct callgrind_names *n, struct text t, struct text *name)
{
	const struct callgrind_name *own;
	struct text rest = t;
	uint64_t number;

	*name = text_trim(t);
	if (!text_take(&rest, "(") || !text_number(&rest, 10, &number) ||
	    !text_take(&rest, ")"))
		return 0;
	*name = text_trim(rest);
	if (name->bytes != 0)
		return define(n, number, *name);
	own = find(n, number);
	if (own == NULL)
		return -EINVAL;
	*name = own->text;
	return 0;
}

void
callgrind_names_free(struct callgrind_names *n)
{
	free(n->all);
	finder_free(&n->by_number);
	memset(n, 0, sizeof(*n));
}

/* A number, in hex behind "0x". */
static bool
number(struct text word, uint64_t *value)
{
	const unsigned base = text_take(&word, "0x") ? 16 : 10;

	return text_number(&word, base, value) && word.bytes == 0;
}

static bool
position(struct text word, struct callgrind_columns *c, unsigned i,
    struct callgrind_cost *cost)
{
	const uint64_t last = c->last.at[i];
	uint64_t by = 0;
	const bool more = text_take(&word, "+");
	const bool less = !more && text_take(&word, "-");

	if (!text_is(word, "*") || more || less) {
		if (!number(word, &by))
			return false;
		cost->is_known[i] = !(more || less) || c->last.is_known[i];
		cost->at[i] = more ? last + by : less ? last - by : by;
	}
	return true;
}

/* Costs at the end of a line that are 0 can be missing. */
static bool
value_of(struct text t, size_t chosen, int64_t *value)
{
	struct text word = { .at = NULL };
	uint64_t hex;

	*value = 0;
	for (size_t i = 0; i <= chosen && t.bytes != 0; i++) {
		word = text_word(&t);
		if (i < chosen)
			word.at = NULL;
	}
	if (word.at == NULL || text_signed(word, value))
		return true;
	if (!number(word, &hex) || hex > INT64_MAX)
		return false;
	*value = (int64_t)hex;
	return true;
}

bool
callgrind_is_cost(struct text line)
{
	return text_is_digit(*line.at) || *line.at == '+' || *line.at == '-' ||
	    *line.at == '*';
}

bool
callgrind_cost(struct callgrind_columns *c, struct text line,
    struct callgrind_cost *cost)
{
	struct text t = text_trim(line);

	*cost = c->last;
	for (unsigned i = 0; i < CALLGRIND_POSITIONS; i++)
		if (c->has[i] && !position(text_word(&t), c, i, cost)) {
			memset(c->last.is_known, 0, sizeof(c->last.is_known));
			return false;
		}
	c->last = *cost;
	return value_of(t, c->chosen, &cost->value);
}

bool
callgrind_value(const struct callgrind_columns *c, struct text costs,
    int64_t *value)
{
	return value_of(text_trim(costs), c->chosen, value);
}

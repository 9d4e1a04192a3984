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
position(struct text word, uint64_t last, uint64_t *at)
{
	uint64_t by;

	*at = last;
	if (text_is(word, "*"))
		return true;
	if (text_take(&word, "+")) {
		if (!number(word, &by))
			return false;
		*at = last + by;
		return true;
	}
	if (text_take(&word, "-")) {
		if (!number(word, &by))
			return false;
		*at = last - by;
		return true;
	}
	return number(word, at);
}

/* Costs at the end of a line that are 0 can be missing. */
bool
callgrind_cost(struct callgrind_columns *c, struct text line,
    struct callgrind_cost *cost)
{
	struct text t = text_trim(line);

	*cost = c->last;
	cost->value = 0;
	for (unsigned i = 0; i < CALLGRIND_POSITIONS; i++)
		if (c->has[i] &&
		    !position(text_word(&t), c->last.at[i], &cost->at[i]))
			return false;
	for (size_t i = 0; t.bytes != 0; i++) {
		uint64_t value;

		if (!number(text_word(&t), &value))
			return false;
		if (i == c->chosen)
			cost->value = value;
	}
	c->last = *cost;
	return true;
}

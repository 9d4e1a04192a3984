/*
 * Context: O.  Gives each address of a sorted list to one piece of code, the
 * latest that covers it.  Pieces claim addresses from the latest piece to the
 * first; each address is claimed once, whatever a file says, so that the work
 * is linear.  For jitdump.c and jitmap.c.
 */
#ifndef ADDRESS_CLAIMS_H
#define ADDRESS_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * The state of a list of addresses; next[i] leads to the first address from i
 * on that is not claimed.
 */
struct address_claims {
	size_t *next;
};

/*
 * Begins with `count` addresses, all free.  Returns false if memory is out;
 * address_claims_end() is allowed then, too.
 */
static inline bool
address_claims_begin(struct address_claims *c, size_t count)
{
	c->next = malloc((count + 1) * sizeof(*c->next));
	for (size_t i = 0; c->next != NULL && i <= count; i++)
		c->next[i] = i;
	return c->next != NULL;
}

/* Returns the first free address from i on, or `count` if there is none. */
static inline size_t
address_claims_next_free(struct address_claims *c, size_t i)
{
	size_t top = i;

	while (c->next[top] != top)
		top = c->next[top];
	while (c->next[i] != top) {
		size_t next = c->next[i];

		c->next[i] = top;
		i = next;
	}
	return top;
}

/* Claims address i, which must be free. */
static inline void
address_claims_take(struct address_claims *c, size_t i)
{
	c->next[i] = i + 1;
}

/* Ends the use of *c and frees its memory. */
static inline void
address_claims_end(struct address_claims *c)
{
	free(c->next);
}

#endif

/*
 * Context: O.  Addresses that pieces of code claim, the latest piece first:
 * each address is claimed once, whatever a file says, so that the work is
 * linear.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* next[i] leads to the first address from i on that nobody claimed. */
struct claims {
	size_t *next;
};

/* All are free.  false: no memory. */
static inline bool
claims_begin(struct claims *c, size_t count)
{
	c->next = malloc((count + 1) * sizeof(*c->next));
	for (size_t i = 0; c->next != NULL && i <= count; i++)
		c->next[i] = i;
	return c->next != NULL;
}

/* The first free one from i on; count when there is none. */
static inline size_t
claims_free(struct claims *c, size_t i)
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

static inline void
claims_take(struct claims *c, size_t i)
{
	c->next[i] = i + 1;
}

static inline void
claims_end(struct claims *c)
{
	free(c->next);
}

#endif

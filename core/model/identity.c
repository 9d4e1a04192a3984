/* Context: O.  What makes two records of different files one. */
#include "identity.h"

#include "order.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int
identity_compare(const void *left, const void *right)
{
	const struct identity *a = left, *b = right;
	int d = memcmp(a->id, b->id, sizeof(a->id));

	if (d == 0 && a->path != b->path)	/* texts are single copies */
		d = strcmp(a->path, b->path);
	if (d == 0)
		d = order(a->device, b->device);
	if (d == 0)
		d = order(a->inode, b->inode);
	return d != 0 ? d : order(a->flags, b->flags);
}

struct identity *
identity_enter(void **tree, const struct identity *key, uint32_t fresh)
{
	struct identity *copy = malloc(sizeof(*copy));
	struct identity **found;

	if (copy == NULL)
		return NULL;
	*copy = *key;
	copy->index = fresh;
	found = tsearch(copy, tree, identity_compare);
	if (found == NULL || *found != copy)
		free(copy);
	return found == NULL ? NULL : *found;
}

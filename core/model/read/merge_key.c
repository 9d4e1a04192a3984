/*
 * Context: O.  Keys by which records of different files are recognized as one
 * module, process, image or file: a tsearch(3) tree.
 */
#include "read/merge_key.h"

#include "base/compare.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int
compare_merge_keys(const void *left, const void *right)
{
	const struct merge_key *a = left, *b = right;
	int d = memcmp(a->id, b->id, sizeof(a->id));

	if (d == 0 && a->path != b->path)	/* texts are single copies */
		d = strcmp(a->path, b->path);
	if (d == 0)
		d = compare_u64(a->device, b->device);
	if (d == 0)
		d = compare_u64(a->inode, b->inode);
	return d != 0 ? d : compare_u64(a->flags, b->flags);
}

struct merge_key *
merge_key_find(void **tree, const struct merge_key *key, uint32_t fresh)
{
	struct merge_key *copy = malloc(sizeof(*copy));
	struct merge_key **found;

	if (copy == NULL)
		return NULL;
	*copy = *key;
	copy->index = fresh;
	found = tsearch(copy, tree, compare_merge_keys);
	if (found == NULL || *found != copy)
		free(copy);
	return found == NULL ? NULL : *found;
}

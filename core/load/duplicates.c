/*
 * Context: O.  Chooses among several copies of one profile, for read_inputs();
 * see duplicates.h.
 */
#include "duplicates.h"

#include "base/compare.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>

/*
 * A file and the fields of its header that tell profiles and their copies
 * apart.  Files whose `of` is equal are copies; a file with a baseline (`base`)
 * is no copy of one without.
 */
struct duplicate {
	struct {
		uint8_t boot_id[16];
		uint64_t start_ticks, birth_mono, cpu_birth_ns;
		uint64_t pid, image, base;
	} of;
	bool sealed;
	uint64_t ticks;
	bool named;		/* prof --embed has put names into it */
	size_t index;
};

/*
 * Fills *c from the header of the file `path`.  Returns false if it cannot be
 * read or is no profile of libmon; *c is not changed then.
 */
static bool
describe_duplicate(struct duplicate *c, const char *path, size_t index)
{
	struct format_header h;

	if (load_header(path, &h) != 0)
		return false;
	memset(c, 0, sizeof(*c));
	memcpy(c->of.boot_id, h.boot_id, sizeof(h.boot_id));
	c->of.start_ticks = h.start_ticks;
	c->of.birth_mono = h.birth_mono;
	c->of.cpu_birth_ns = h.cpu_birth_ns;
	c->of.pid = (uint64_t)h.pid;
	c->of.image = h.image;
	c->of.base = h.base;
	c->sealed = h.state == FORMAT_SEALED;
	c->ticks = h.ticks;
	c->named = h.names != 0;
	c->index = index;
	return true;
}

/*
 * Orders the copies of one profile next to each other, the most complete first.
 */
static int
compare_duplicates(const void *left, const void *right)
{
	const struct duplicate *a = left, *b = right;
	int d = memcmp(&a->of, &b->of, sizeof(a->of));

	if (d == 0)
		d = compare_u64(b->sealed, a->sealed);
	if (d == 0)
		d = compare_u64(b->ticks, a->ticks);
	if (d == 0)
		d = compare_u64(b->named, a->named);
	return d != 0 ? d : compare_u64(a->index, b->index);
}

/*
 * Exchanges the best copy, all[0], with the copy that comes first in the input.
 * all[0..count) are the copies of one profile.
 */
static void
move_best_first(size_t *places, const struct duplicate *all, size_t count)
{
	size_t first = all[0].index;

	for (size_t i = 1; i < count; i++)
		if (all[i].index < first)
			first = all[i].index;
	places[all[0].index] = first;
	places[first] = all[0].index;
}

/*
 * Moves the best copy of each profile first.  all[0..count) is sorted by
 * compare_duplicates(); *places is the order of the input.
 */
static void
order_duplicates(size_t *places, const struct duplicate *all, size_t count)
{
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count; next++)
			if (memcmp(&all[i].of, &all[next].of,
			    sizeof(all[i].of)) != 0)
				break;
		if (next - i > 1)
			move_best_first(places, &all[i], next - i);
	}
}

size_t *
duplicates_read_order(const struct input *in)
{
	size_t *places = calloc(in->count + 1, sizeof(*places));
	struct duplicate *all = calloc(in->count + 1, sizeof(*all));
	size_t count = 0;

	for (size_t i = 0; i < in->count && places != NULL && all != NULL;
	    i++) {
		places[i] = i;
		count += describe_duplicate(&all[count], in->files[i].path, i);
	}
	if (all == NULL || places == NULL) {
		free(places);
		free(all);
		return NULL;
	}
	if (count > 1)
		qsort(all, count, sizeof(*all), compare_duplicates);
	order_duplicates(places, all, count);
	free(all);
	return places;
}

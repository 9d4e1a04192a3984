/*
 * Context: S.  Enters, splits and removes ranges, for map_count.c, which holds
 * the table's lock; see map_table.h.
 */
#include "heap_live/map_table.h"

/* Returns the number of the first range that ends above the address. */
static uint32_t
find_range(const struct map_table *t, uint64_t address)
{
	uint32_t low = 0, high = t->count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (t->all[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void
remove_range_at(struct map_table *t, uint32_t i)
{
	for (t->count--; i < t->count; i++)
		t->all[i] = t->all[i + 1];
}

static bool
insert_range_at(struct map_table *t, uint32_t i, const struct map_range *r)
{
	if (t->count == MAP_TABLE_MAX)
		return false;
	for (uint32_t j = t->count++; j > i; j--)
		t->all[j] = t->all[j - 1];
	t->all[i] = *r;
	return true;
}

bool
map_table_insert(struct map_table *t, const struct map_range *r)
{
	const uint32_t i = find_range(t, r->start);

	if (r->start >= r->end || (i < t->count && t->all[i].start < r->end))
		return false;
	return insert_range_at(t, i, r);
}

static bool
has_piece_of_mapping(const struct map_table *t, uint32_t mapping)
{
	uint32_t i = 0;

	while (i < t->count && t->all[i].mapping != mapping)
		i++;
	return i < t->count;
}

/*
 * Keeps what is left of range i: one end or both.  The pieces get a number in
 * common.  Returns false if there was no room for the upper one of two.
 */
static bool
split_range(struct map_table *t, uint32_t i, uint64_t start, uint64_t end)
{
	struct map_range *r = &t->all[i], above;

	if (r->mapping == 0)
		r->mapping = ++t->split;
	above = *r;
	above.start = end;
	if (r->start < start)
		r->end = start;
	else
		r->start = end;
	return r->start >= end || above.end <= end ||
	    insert_range_at(t, i + 1, &above);
}

/*
 * Removes the part of range i that lies between `start` and `end`, and tells
 * `gone`.  Returns false if there was no room for the part above.
 */
static bool
take_from_range(struct map_table *t, uint32_t i, uint64_t start, uint64_t end,
    map_table_removed *gone, void *arg)
{
	struct map_range piece = t->all[i];
	const bool whole = piece.start >= start && piece.end <= end;
	bool room = true;

	if (whole) {
		remove_range_at(t, i);
	} else {
		room = split_range(t, i, start, end);
		piece.mapping = t->all[i].mapping;
	}
	if (piece.start < start)
		piece.start = start;
	if (piece.end > end && room)
		piece.end = end;
	gone(arg, &piece, whole && (piece.mapping == 0 ||
	    !has_piece_of_mapping(t, piece.mapping)));
	return room;
}

bool
map_table_remove(struct map_table *t, uint64_t start, uint64_t end,
    map_table_removed *gone, void *arg)
{
	uint32_t i = find_range(t, start);
	bool room = true;

	while (start < end && i < t->count && t->all[i].start < end) {
		const bool stays = t->all[i].start < start;

		room &= take_from_range(t, i, start, end, gone, arg);
		i += stays;
	}
	return room;
}

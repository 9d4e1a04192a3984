/* Context: P.  Following an index in a profile file. */
#include "link.h"

#include <string.h>

/*
 * All safety of the decoder is here: link_peek() alone turns an index into
 * bytes, and what it lets pass lies behind the header and inside the copy.
 * link_meet() adds that no two records share a unit, which makes lists and the
 * tree finite: a loop, a cross-link and a link into the middle of a record all
 * meet some unit twice.
 */

bool
link_marked(const unsigned char *map, uint32_t unit)
{
	return map[unit / 8] >> unit % 8 & 1;
}

void
link_mark(unsigned char *map, uint32_t unit)
{
	map[unit / 8] |= (unsigned char)(1u << unit % 8);
}

uint64_t
link_offset(uint32_t index)
{
	return (uint64_t)index * FORMAT_UNIT;
}

int
link_peek(const struct decode *d, uint64_t from, uint32_t index, size_t bytes,
    struct fault *f)
{
	uint64_t at = link_offset(index);

	if (index == 0)
		return 0;
	if (at < FORMAT_HEADER)
		return fault_set(f, "a link points into the header", from, 0);
	if (at <= d->size && bytes <= d->size - at)
		return 1;
	if (!d->sealed)
		return LINK_CUT;
	return fault_set(f, "a link points past the end of the data", from, 0);
}

bool
link_is_zero(const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

int
link_peek_record(const struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f)
{
	int got = link_peek(d, from, index, bytes, f);

	if (got == 1 && !d->sealed &&
	    link_is_zero(d->bytes + link_offset(index), bytes))
		return LINK_CUT;
	return got;
}

int
link_claim(struct decode *d, uint64_t from, uint32_t index, size_t bytes,
    struct fault *f)
{
	for (uint32_t i = 0; i < bytes / FORMAT_UNIT; i++) {
		if (link_marked(d->seen, index + i))
			return fault_set(f, "a link points into a record that "
			    "was met before", from, 0);
		link_mark(d->seen, index + i);
	}
	return 0;
}

int
link_meet(struct decode *d, uint64_t from, uint32_t index, size_t bytes,
    struct fault *f)
{
	int got = link_peek_record(d, from, index, bytes, f);
	int error;

	if (got == LINK_CUT) {
		d->cut++;
		return 0;
	}
	if (got != 1)
		return got;
	error = link_claim(d, from, index, bytes, f);
	return error != 0 ? error : 1;
}

int
link_next(const struct decode *d, uint32_t head, uint32_t *index, void *out,
    size_t bytes, struct fault *f)
{
	uint64_t from = link_offset(*index);
	uint32_t next = head;
	int got;

	if (*index != 0) {
		got = link_peek(d, from, *index, bytes, f);
		if (got != 1)
			return got == LINK_CUT ? 0 : got;
		memcpy(&next, d->bytes + from, sizeof next);
	}
	got = link_peek_record(d, from, next, bytes, f);
	if (got != 1)
		return got == LINK_CUT ? 0 : got;
	memcpy(out, d->bytes + link_offset(next), bytes);
	*index = next;
	return 1;
}

int
link_listed(struct decode *d, uint64_t at, uint32_t module, struct fault *f)
{
	if (module == 0 || (module < d->size / FORMAT_UNIT &&
	    link_marked(d->listed, module)))
		return 0;
	if (d->sealed)
		return fault_set(f, "a record names a module that is not "
		    "listed", at, 0);
	d->cut++;
	return 0;
}

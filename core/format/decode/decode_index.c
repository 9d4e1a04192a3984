/*
 * Context: P.  Follows an index in a profile, for the files of the decoder; see
 * decode_index.h.
 */
#include "decode/decode_index.h"

#include <string.h>

/*
 * The safety of links is here: decode_index_peek() alone turns an index into
 * bytes, and an index that passes lies behind the header and inside the copy.
 * decode_index_visit() adds that no two records share a unit, which makes lists
 * and the tree finite: a loop, a cross-link and a link into the middle of a
 * record all meet some unit twice.
 */

bool
decode_index_is_marked(const unsigned char *map, uint32_t unit)
{
	return map[unit / 8] >> unit % 8 & 1;
}

void
decode_index_mark(unsigned char *map, uint32_t unit)
{
	map[unit / 8] |= (unsigned char)(1u << unit % 8);
}

uint64_t
decode_index_offset(uint32_t index)
{
	return (uint64_t)index * FORMAT_UNIT;
}

int
decode_index_peek(const struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f)
{
	uint64_t at = decode_index_offset(index);

	if (index == 0)
		return 0;
	if (at < FORMAT_HEADER)
		return fault_set(f, "a link points into the header", from, 0);
	if (at <= d->size && bytes <= d->size - at)
		return 1;
	if (!d->sealed)
		return DECODE_INDEX_TRUNCATED;
	return fault_set(f, "a link points past the end of the data", from, 0);
}

bool
decode_index_is_zero(const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

int
decode_index_peek_record(const struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f)
{
	int got = decode_index_peek(d, from, index, bytes, f);

	if (got == 1 && !d->sealed &&
	    decode_index_is_zero(d->bytes + decode_index_offset(index), bytes))
		return DECODE_INDEX_TRUNCATED;
	return got;
}

int
decode_index_claim(struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f)
{
	for (uint32_t i = 0; i < bytes / FORMAT_UNIT; i++) {
		if (decode_index_is_marked(d->seen, index + i))
			return fault_set(f, "a link points into a record that "
			    "was read before", from, 0);
		decode_index_mark(d->seen, index + i);
	}
	return 0;
}

int
decode_index_visit(struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f)
{
	int got = decode_index_peek_record(d, from, index, bytes, f);
	int error;

	if (got == DECODE_INDEX_TRUNCATED) {
		d->cut++;
		return 0;
	}
	if (got != 1)
		return got;
	error = decode_index_claim(d, from, index, bytes, f);
	return error != 0 ? error : 1;
}

int
decode_index_next(const struct decode *d, uint32_t head, uint32_t *index,
    void *out, size_t bytes, struct fault *f)
{
	uint64_t from = decode_index_offset(*index);
	uint32_t next = head;
	int got;

	if (*index != 0) {
		got = decode_index_peek(d, from, *index, bytes, f);
		if (got != 1)
			return got == DECODE_INDEX_TRUNCATED ? 0 : got;
		memcpy(&next, d->bytes + from, sizeof(next));
	}
	got = decode_index_peek_record(d, from, next, bytes, f);
	if (got != 1)
		return got == DECODE_INDEX_TRUNCATED ? 0 : got;
	memcpy(out, d->bytes + decode_index_offset(next), bytes);
	*index = next;
	return 1;
}

int
decode_index_check_module(struct decode *d, uint64_t at, uint32_t module,
    struct fault *f)
{
	if (module == 0 || (module < d->size / FORMAT_UNIT &&
	    decode_index_is_marked(d->listed, module)))
		return 0;
	if (d->sealed)
		return fault_set(f, "a record names a module that is not "
		    "listed", at, 0);
	d->cut++;
	return 0;
}

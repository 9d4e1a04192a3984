/*
 * Context: O.  Reads the encoding of protocol buffers, for the reader of
 * pprof's files; see wire.h.
 */
#include "base/wire.h"

#include <errno.h>

int
wire_number(struct wire *w, uint64_t *value)
{
	*value = 0;
	if (w->at == w->end)
		return 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned char byte;

		if (w->at == w->end)
			return -EINVAL;
		byte = *w->at++;
		/* The tenth byte has one bit left of 64. */
		if (shift == 63 && byte > 1)
			return -EINVAL;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			return 1;
	}
	return -EINVAL;
}

/* Reads a little-endian number of `bytes` bytes.  Returns 1 or -EINVAL. */
static int
wire_fixed(struct wire *w, unsigned bytes, uint64_t *value)
{
	if ((size_t)(w->end - w->at) < bytes)
		return -EINVAL;
	*value = 0;
	for (unsigned i = 0; i < bytes; i++)
		*value |= (uint64_t)w->at[i] << 8 * i;
	w->at += bytes;
	return 1;
}

/* Reads a length and that many bytes.  Returns 1 or -EINVAL. */
static int
wire_bytes(struct wire *w, struct wire *bytes)
{
	uint64_t count;

	if (wire_number(w, &count) != 1 || count > (size_t)(w->end - w->at))
		return -EINVAL;
	bytes->at = w->at;
	w->at += count;
	bytes->end = w->at;
	return 1;
}

int
wire_next(struct wire *w, struct wire_field *f)
{
	uint64_t key;
	int ret = wire_number(w, &key);

	if (ret != 1)
		return ret;
	if (key >> 3 == 0 || key >> 3 > UINT32_MAX)
		return -EINVAL;
	f->number = (uint32_t)(key >> 3);
	f->type = key & 7;
	switch (f->type) {
	case WIRE_NUMBER:
		return wire_number(w, &f->value) == 1 ? 1 : -EINVAL;
	case WIRE_FIXED64:
		return wire_fixed(w, 8, &f->value);
	case WIRE_BYTES:
		return wire_bytes(w, &f->bytes);
	case WIRE_FIXED32:
		return wire_fixed(w, 4, &f->value);
	default:
		return -EINVAL;		/* groups, which no program writes */
	}
}

/*
 * Context: P.  Checks the texts of a profile, for the files of the decoder, and
 * reads them for all readers; see decode_text.h and decode.h.
 */
#include "decode/decode_text.h"

#include "decode/decode_index.h"

#include <string.h>

/*
 * Checks the text at `index` and stores its bytes in *length.  `from` is the
 * offset of the link to it.  Returns as decode_index_peek().
 */
static int
peek_text(const struct decode *d, uint64_t from, uint32_t index,
    uint32_t *length, struct fault *f)
{
	uint64_t at = decode_index_offset(index);
	int got = decode_index_peek(d, from, index, sizeof(*length), f);

	*length = 0;
	if (got != 1)
		return got;
	memcpy(length, d->bytes + at, sizeof(*length));
	if (*length <= d->size - at - sizeof(*length))
		return 1;
	*length = 0;
	if (!d->sealed)
		return DECODE_INDEX_TRUNCATED;
	return fault_set(f, "a text is longer than the data", at, 0);
}

int
decode_text_check(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f)
{
	uint32_t length;
	int got = peek_text(d, from, index, &length, f);

	if (got == DECODE_INDEX_TRUNCATED)
		d->cut++;
	return got < 0 ? got : 0;
}

const char *
decode_text(const struct decode *d, uint32_t index, uint32_t *length,
    struct fault *f)
{
	int got = peek_text(d, decode_index_offset(index), index, length, f);

	if (got < 0)
		return NULL;
	if (got != 1)
		return "";
	return (const char *)d->bytes + decode_index_offset(index) +
	    sizeof(*length);
}

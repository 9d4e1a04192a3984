/*
 * Context: P.  Checks and visits the embedded names of a profile: for
 * decode_open(), and as decode_names() for the model; see decode.h.
 */
#include "decode/decode_names.h"

#include "decode/decode_index.h"
#include "decode/decode_text.h"

#include <string.h>

/*
 * Handles a block that the data do not hold: a fault in a sealed file, else
 * truncated.  Returns 0, or -EINVAL with *f set.
 */
static int
truncated_names(struct decode *d, uint64_t at, struct fault *f)
{
	if (d->sealed)
		return fault_set(f, "a block of names is longer than the data",
		    at, 0);
	d->cut++;
	return 0;
}

/* Returns the offset of the scopes of a block. */
static uint64_t
scopes_of_names(uint32_t index, const struct format_names *block)
{
	return decode_index_offset(index) + sizeof(*block) +
	    (uint64_t)block->places * sizeof(struct format_place);
}

static uint64_t
end_of_names(uint32_t index, const struct format_names *block)
{
	return scopes_of_names(index, block) +
	    (uint64_t)block->scopes * sizeof(struct format_scope);
}

/*
 * Checks a place.  Its scopes must come directly behind those of the place
 * before, so that no scope is read twice.
 */
static int
place_check(struct decode *d, uint64_t at, const struct format_names *block,
    uint32_t *scopes, struct fault *f)
{
	struct format_place p;

	memcpy(&p, d->bytes + at, sizeof(p));
	if (p.first != *scopes || p.scopes > block->scopes - p.first)
		return fault_set(f, "an address has the names of another",
		    at + offsetof(struct format_place, first), 0);
	*scopes += p.scopes;
	return decode_text_check(d, at + offsetof(struct format_place, name),
	    p.name, f);
}

static int
scope_check(struct decode *d, uint64_t at, struct fault *f)
{
	struct format_scope s;
	int error;

	memcpy(&s, d->bytes + at, sizeof(s));
	error = decode_text_check(d, at + offsetof(struct format_scope,
	    function), s.function, f);
	return error != 0 ? error : decode_text_check(d, at +
	    offsetof(struct format_scope, file), s.file, f);
}

int
decode_names_check(struct decode *d, uint32_t index, struct fault *f)
{
	uint64_t at = decode_index_offset(index);
	struct format_names block;
	uint32_t scopes = 0;
	int error;

	memcpy(&block, d->bytes + at, sizeof(block));
	if (end_of_names(index, &block) > d->size)
		return truncated_names(d, at + offsetof(struct format_names,
		    places), f);
	error = decode_index_check_module(d, at + offsetof(struct format_names,
	    module), block.module, f);
	if (error == 0)
		error = decode_index_claim(d, at,
		    index + (uint32_t)(sizeof(block) / FORMAT_UNIT),
		    end_of_names(index, &block) - at - sizeof(block), f);
	at += sizeof(block);
	for (uint32_t i = 0; i < block.places && error == 0; i++)
		error = place_check(d, at + i * sizeof(struct format_place),
		    &block, &scopes, f);
	at = scopes_of_names(index, &block);
	for (uint32_t i = 0; i < block.scopes && error == 0; i++)
		error = scope_check(d, at + i * sizeof(struct format_scope),
		    f);
	return error;
}

struct format_scope
decode_scope(const struct decode_place *p, uint32_t i)
{
	struct format_scope s;

	memcpy(&s, p->scopes + i * sizeof(s), sizeof(s));
	return s;
}

int
decode_names(const struct decode *d, decode_place_visit *visit, void *arg,
    struct fault *f)
{
	struct decode_place p = { .module = 0 };
	struct format_names block;
	uint32_t index = 0;
	int got;

	while ((got = decode_index_next(d, d->header.names, &index, &block,
	    sizeof(block), f)) == 1) {
		const unsigned char *at =
		    d->bytes + decode_index_offset(index) + sizeof(block);

		if (end_of_names(index, &block) > d->size)
			continue;
		p.module = block.module;
		for (uint32_t i = 0; i < block.places; i++) {
			memcpy(&p.place, at + i * sizeof(p.place),
			    sizeof(p.place));
			p.scopes = d->bytes + scopes_of_names(index, &block) +
			    p.place.first * sizeof(struct format_scope);
			got = visit(arg, &p);
			if (got != 0)
				return got;
		}
	}
	return got;
}

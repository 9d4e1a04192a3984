/*
 * Context: O.  Names addresses by the pieces of code of a jitdump, from the
 * latest piece to the first, and finds their lines, for the model; see
 * jitdump.h.
 */
#include "code/jitdump.h"

#include "code/address_claims.h"
#include "code/jitdump_pieces.h"
#include "base/vector.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * V8 adds to the addresses of its lines the bytes that the ELF header of perf
 * inject takes (its perf-jit.cc).  perf adds them itself since 5.8, and the
 * format does not mention them.  The shift shows in a dump in which the lines
 * of every piece of code begin there.
 */
#define V8_SHIFT	0x40u

/* Bytes of a pointer in user space that are not zero, on 64-bit Linux. */
#define FREED_BYTES	6u

struct debug_info {
	uint64_t address, count;
};

struct debug_entry {
	uint64_t address;
	uint32_t line, column;
};

/* The addresses that are asked for, while the pieces name them. */
struct naming {
	struct jitdump_pieces pieces;
	struct symbol *asked;
	size_t asked_count;
	struct arena *arena;
	struct lines *lines;
	uint64_t shift;		/* of addresses that have lines, see V8_SHIFT */
};

/*
 * Gives a line to address number `i`.  d->lines is not NULL.  Returns 0 or
 * -ENOMEM.
 */
static int
put_line(struct naming *d, size_t i, const char *file, uint32_t line)
{
	struct lines *l = d->lines;

	if (vector_grow(&l->frames, l->frame_count, &l->frame_room,
	    sizeof(*l->frames)) != 0 || l->frame_count >= UINT32_MAX)
		return -ENOMEM;
	l->places[i] = (struct lines_place) {
		.first = (uint32_t)l->frame_count, .count = 1,
	};
	l->frames[l->frame_count++] = (struct lines_frame) {
		.file = file, .line = line,
	};
	return 0;
}

/*
 * Puts a line to the addresses in [low, high) that the piece has claimed; no
 * other entry has them.
 */
static int
put_lines(struct naming *d, const struct jitdump_piece *p, const size_t *owner,
    uint64_t low, uint64_t high, const char *file, uint32_t line)
{
	const size_t self = (size_t)(p - d->pieces.all) + 1;
	int ret = 0;

	for (size_t i = symbol_lookup_lower_bound(d->asked, d->asked_count,
	    low); i < d->asked_count && d->asked[i].address < high && ret == 0;
	    i++)
		if (owner[i] == self)
			ret = put_line(d, i, file, line);
	return ret;
}

/*
 * Returns whether a text is UTF-8 without control characters, those of
 * Unicode included (U+0080 to U+009F).
 */
static bool
is_printable(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at != '\0') {
		unsigned more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 :
		    *at < 0xf0 ? 2 : 3;

		if (*at < ' ' || *at == 0x7f || (*at >= 0x80 && *at < 0xc2) ||
		    *at > 0xf4 || (*at == 0xc2 && at[1] < 0xa0))
			return false;
		for (at++; more > 0; more--, at++)
			if ((*at & 0xc0) != 0x80)
				return false;
	}
	return true;
}

/* Returns whether a text ends in a dot and letters or digits, as a.js does. */
static bool
has_suffix(const char *text)
{
	const char *dot = strrchr(text, '.');

	if (dot == NULL || dot == text || dot[1] == '\0')
		return false;
	for (dot++; *dot != '\0'; dot++)
		if (!isalnum((unsigned char)*dot))
			return false;
	return true;
}

/*
 * Returns whether a text can be the file of a piece with this name.  V8 writes
 * some texts after it has freed them: glibc's free list has put a pointer over
 * their start, six bytes and two of zero, so a short text is doubtful.  It is
 * believed if it looks as the name of a file or stands in the piece's name.
 */
static bool
is_file_name(const char *text, const char *piece)
{
	return *text != '\0' && is_printable(text) &&
	    (strlen(text) > FREED_BYTES || has_suffix(text) ||
	    strstr(piece, text) != NULL);
}

/*
 * Reads the lines of a piece, which has this name.  Entries must ascend and
 * have file names; after one that does not, the rest is not believed.
 */
static int
read_lines(struct naming *d, const struct jitdump_piece *p, const char *name,
    const size_t *owner)
{
	struct debug_entry e = { .address = p->address }, next;
	uint64_t at = p->debug + sizeof(struct debug_info);
	struct debug_info info = { .count = 0 };
	const char *file = NULL;
	int ret = 0;

	if (at <= p->debug_end)
		jitdump_pieces_read(&d->pieces, p->debug, &info,
		    sizeof(info));
	for (; info.count > 0 && ret == 0 && at + sizeof(next) <
	    p->debug_end && jitdump_pieces_read(&d->pieces, at, &next,
	    sizeof(next)) &&
	    next.address - d->shift >= e.address; info.count--) {
		const char *text;
		size_t bytes;

		next.address -= d->shift;

		if (file != NULL)
			ret = put_lines(d, p, owner, e.address, next.address,
			    file, e.line);
		text = jitdump_pieces_text(&d->pieces, at + sizeof(next),
		    p->debug_end, &bytes, d->arena);
		if (text == NULL)
			return -ENOMEM;
		/* "\377": the file of the entry before. */
		if (strcmp(text, "\377") != 0 && !is_file_name(text, name))
			return ret;
		if (strcmp(text, "\377") != 0)
			file = text;
		at += sizeof(next) + bytes + 1;
		e = next;
	}
	if (ret == 0 && file != NULL && p->size > e.address - p->address)
		ret = put_lines(d, p, owner, e.address, p->address + p->size,
		    file, e.line);
	return ret;
}

/*
 * Gives the addresses of a piece to it unless a later piece has them.  owner[]
 * gets its number + 1.
 */
static int
claim_piece_addresses(struct naming *d, struct address_claims *claims,
    size_t *owner, size_t number)
{
	const struct jitdump_piece *p = &d->pieces.all[number];
	struct symbol *asked = d->asked;
	const char *name = NULL;
	size_t bytes;

	for (size_t i = address_claims_next_free(claims,
	    symbol_lookup_lower_bound(asked, d->asked_count, p->address));
	    i < d->asked_count && asked[i].address - p->address < p->size; i =
	    address_claims_next_free(claims, i)) {
		if (name == NULL)
			name = jitdump_pieces_text(&d->pieces, p->name,
			    p->name_end, &bytes, d->arena);
		if (name == NULL)
			return -ENOMEM;
		address_claims_take(claims, i);
		asked[i].name = name;
		asked[i].start = p->address;
		asked[i].start_known = true;
		owner[i] = number + 1;
	}
	if (name == NULL || d->lines == NULL || p->debug == 0)
		return 0;
	return read_lines(d, p, name, owner);
}

/* Finds whether the addresses of lines are shifted as V8 shifts them. */
static void
find_shift(struct naming *d)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < d->pieces.count; i++) {
		const struct jitdump_piece *p = &d->pieces.all[i];
		struct debug_entry first;

		if (p->debug != 0 && jitdump_pieces_read(&d->pieces, p->debug +
		    sizeof(struct debug_info), &first, sizeof(first)) &&
		    first.address - p->address < least)
			least = first.address - p->address;
	}
	d->shift = least == V8_SHIFT ? V8_SHIFT : 0;
}

/* Names all asked addresses that a piece holds.  Returns 0 or -ENOMEM. */
static int
claim_all_pieces(struct naming *d)
{
	struct address_claims claims;
	size_t *owner = calloc(d->asked_count + 1, sizeof(*owner));
	int ret = address_claims_begin(&claims, d->asked_count) &&
	    owner != NULL ? 0 : -ENOMEM;

	if (ret == 0 && d->lines != NULL && d->lines->places == NULL) {
		d->lines->places = calloc(d->asked_count + 1,
		    sizeof(*d->lines->places));
		d->lines->count = d->asked_count;
		ret = d->lines->places == NULL ? -ENOMEM : 0;
	}
	find_shift(d);
	for (size_t i = d->pieces.count; i-- > 0 && ret == 0;)
		ret = claim_piece_addresses(d, &claims, owner, i);
	address_claims_end(&claims);
	free(owner);
	return ret;
}

int
jitdump_name(const char *path, uid_t owner, int32_t pid,
    struct symbol *asked, size_t count, struct arena *arena, struct lines *l)
{
	struct naming d = {
		.asked = asked, .asked_count = count, .arena = arena,
		.lines = l,
	};
	int ret = jitdump_pieces_open(&d.pieces, path, owner, pid);

	if (ret == 0 && d.pieces.count != 0)
		ret = claim_all_pieces(&d);
	jitdump_pieces_close(&d.pieces);
	return ret;
}

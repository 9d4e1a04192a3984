/*
 * Context: P.  Copies a file that may be growing, for load.c.  For tools, as it
 * calls malloc(3); see snapshot.h.
 */
#include "decode/snapshot.h"

#include "decode/header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * A record is published after all that it links to, and its children and the
 * newer heads of lists lie at higher offsets.  So a copy that reads the header
 * first, then ascends, and goes on until `used` has stopped growing, holds all
 * records that links in it name: a link was read before the end of the data.
 *
 * Only modules can come late: a node read high up may name a module that was
 * not yet in the list when the header was read.  Then the list's head has
 * moved, and the copy is taken again.
 */

#define PIECE	(256u << 10)
/* Tries; the last copy may lack modules that a program loads meanwhile */
#define TRIES	4

/* Makes room for `more` bytes.  Returns 0, or -ENOMEM with *f set. */
static int
make_room(struct snapshot *s, size_t more, struct fault *f)
{
	size_t want = s->room;
	unsigned char *bytes;

	if (more <= s->room - s->size)
		return 0;
	while (more > want - s->size)
		want = want != 0 ? 2 * want : PIECE;
	bytes = realloc(s->bytes, want);
	if (bytes == NULL)
		return fault_set(f, "no memory for a copy of the file",
		    FAULT_NO_OFFSET, ENOMEM);
	s->bytes = bytes;
	s->room = want;
	return 0;
}

/* Appends the file up to `end`, or up to its own end if that comes first. */
static int
append_to_snapshot(struct snapshot *s, uint64_t end, snapshot_read *read,
    void *arg, struct fault *f)
{
	while (s->size < end) {
		uint64_t left = end - s->size;
		size_t piece = left < PIECE ? (size_t)left : PIECE;
		int error = make_room(s, piece, f);
		long got;

		if (error != 0)
			return error;
		got = read(arg, s->bytes + s->size, piece, s->size);
		if (got < 0)
			return fault_set(f, "cannot read the file", s->size,
			    (int)-got);
		if (got == 0)
			return 0;
		s->size += (size_t)got;
	}
	return 0;
}

/*
 * Reads the header as it is now.  Returns 1, 0 if it makes no sense, or -errno
 * with *f set.
 */
static int
header_now(struct format_header *h, snapshot_read *read, void *arg,
    struct fault *f)
{
	long got = read(arg, h, sizeof(*h), 0);

	if (got < 0)
		return fault_set(f, "cannot read the file", 0, (int)-got);
	h->used &= ~(uint64_t)FORMAT_CLOSED;
	return got == sizeof(*h) && h->used % FORMAT_UNIT == 0 &&
	    h->used <= h->cap;
}

/*
 * Appends until nothing has been added to the file.  Puts the last `used` into
 * the header of the copy, unless the file is sealed or ends before.  Returns 1,
 * 0 if a module was added, or -errno.
 */
static int
follow_growing_file(struct snapshot *s, const struct format_header *first,
    snapshot_read *read, void *arg, struct fault *f)
{
	struct format_header h = *first;
	uint64_t used;
	int got;

	do {
		used = h.used;
		got = append_to_snapshot(s, used, read, arg, f);
		if (got != 0 || s->size < used)
			return got < 0 ? got : 1;
		if (first->state == FORMAT_SEALED)
			return 1;
		got = header_now(&h, read, arg, f);
	} while (got == 1 && h.used > used);
	if (got < 0)
		return got;
	memcpy(s->bytes + offsetof(struct format_header, used), &used,
	    sizeof(used));
	return got == 0 || h.modules == first->modules;
}

/* Copies the file from its start.  Returns as follow_growing_file(). */
static int
take_once(struct snapshot *s, snapshot_read *read, void *arg, struct fault *f)
{
	struct format_header h;
	int error;

	s->size = 0;
	error = append_to_snapshot(s, FORMAT_HEADER, read, arg, f);
	if (error == 0)
		error = header_read(&h, s->bytes, s->size < FORMAT_HEADER ?
		    s->size : UINT64_MAX, f);
	return error != 0 ? error : follow_growing_file(s, &h, read, arg, f);
}

int
snapshot_take(struct snapshot *s, snapshot_read *read, void *arg,
    struct fault *f)
{
	int got = 0;

	*s = (struct snapshot){0};
	for (int i = 0; i < TRIES && got == 0; i++)
		got = take_once(s, read, arg, f);
	if (got >= 0)
		return 0;
	snapshot_fini(s);
	return got;
}

void
snapshot_fini(struct snapshot *s)
{
	free(s->bytes);
	*s = (struct snapshot){0};
}

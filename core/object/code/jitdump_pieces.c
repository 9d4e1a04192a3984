/*
 * Context: O.  Reads the records of a jitdump, for jitdump.c; see
 * jitdump_pieces.h.
 *
 * The format is perf's, tools/perf/Documentation/jitdump-specification.txt of
 * Linux: a header, then records, each with its length.  Records also hold the
 * code itself, which is skipped.
 */
#include "code/jitdump_pieces.h"

#include "base/regular_file.h"
#include "base/vector.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC		0x4a695444u
#define NAME_MOST	4096

enum { CODE_LOAD = 0, CODE_MOVE = 1, DEBUG_INFO = 2 };

struct header {
	uint32_t magic, version, bytes, machine, pad, pid;
	uint64_t time, flags;
};

struct prefix {
	uint32_t id, bytes;
	uint64_t time;
};

struct code_load {
	uint32_t pid, tid;
	uint64_t vma, address, size, index;
};

struct code_move {
	uint32_t pid, tid;
	uint64_t vma, old_address, address, size, index;
};

bool
jitdump_pieces_read(struct jitdump_pieces *d, uint64_t at, void *to,
    size_t bytes)
{
	return at <= INT64_MAX && fseeko(d->file, (off_t)at, SEEK_SET) == 0 &&
	    fread(to, 1, bytes, d->file) == bytes;
}

/* Returns the slot of the latest piece with an index, or NULL. */
static struct hash_index_slot *
find_latest_piece(struct jitdump_pieces *d, uint64_t index)
{
	const uint32_t hash = hash_index_hash(index);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&d->by_index, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (d->all[n].index == index)
			return &d->by_index.slots[(at - 1) &
			    (d->by_index.room - 1)];
	return NULL;
}

/*
 * Adds a piece, which becomes the latest with its index.  Returns 0 or -ENOMEM.
 */
static int
add_piece(struct jitdump_pieces *d, const struct jitdump_piece *p)
{
	struct hash_index_slot *had = find_latest_piece(d, p->index);

	if (d->count >= HASH_INDEX_NONE - 1 || vector_grow(&d->all, d->count,
	    &d->room, sizeof(*p)) != 0)
		return -ENOMEM;
	if (had != NULL)
		had->number = (uint32_t)d->count + 1;
	else if (hash_index_add(&d->by_index, hash_index_hash(p->index),
	    (uint32_t)d->count) != 0)
		return -ENOMEM;
	d->all[d->count++] = *p;
	return 0;
}

/*
 * Adds the piece of a record at [at, end), with the debug information that came
 * before it.  Returns 0, also if the record is wrong, or -ENOMEM.
 */
static int
add_load(struct jitdump_pieces *d, uint64_t at, uint64_t end)
{
	struct code_load c;
	struct jitdump_piece p = {
		.debug = d->debug, .debug_end = d->debug_end,
	};

	d->debug = 0;
	if (end - at < sizeof(c) ||
	    !jitdump_pieces_read(d, at, &c, sizeof(c)))
		return 0;
	p.address = c.address;
	p.size = c.size;
	p.index = c.index;
	p.name = at + sizeof(c);
	p.name_end = end;
	return add_piece(d, &p);
}

/* Adds a piece that was moved.  It keeps its name but not its lines. */
static int
add_move(struct jitdump_pieces *d, uint64_t at, uint64_t end)
{
	const struct hash_index_slot *had;
	struct code_move c;
	struct jitdump_piece p;

	if (end - at < sizeof(c) ||
	    !jitdump_pieces_read(d, at, &c, sizeof(c)))
		return 0;
	had = find_latest_piece(d, c.index);
	if (had == NULL)
		return 0;
	p = d->all[had->number - 1];
	p.address = c.address;
	p.size = c.size;
	p.debug = 0;	/* its addresses are the old ones */
	return add_piece(d, &p);
}

/*
 * Reads the records from offset `at` on, up to one that is cut short or wrong.
 * Returns 0 or -ENOMEM.
 */
static int
read_records(struct jitdump_pieces *d, uint64_t at)
{
	struct prefix r;
	int ret = 0;

	for (; ret == 0 && jitdump_pieces_read(d, at, &r, sizeof(r)) &&
	    r.bytes >= sizeof(r); at += r.bytes) {
		const uint64_t from = at + sizeof(r), end = at + r.bytes;

		if (r.id == CODE_LOAD)
			ret = add_load(d, from, end);
		else if (r.id == CODE_MOVE)
			ret = add_move(d, from, end);
		else if (r.id == DEBUG_INFO) {
			d->debug = from;
			d->debug_end = end;
		}
	}
	return ret;
}

const char *
jitdump_pieces_text(struct jitdump_pieces *d, uint64_t at, uint64_t end,
    size_t *bytes, struct arena *arena)
{
	char text[NAME_MOST];
	size_t room = end - at < sizeof(text) ? (size_t)(end - at) :
	    sizeof(text);

	if (fseeko(d->file, (off_t)at, SEEK_SET) != 0)
		return NULL;
	room = fread(text, 1, room, d->file);
	*bytes = strnlen(text, room);
	return arena_copy(arena, text, *bytes);
}

/* Opens the file if it is a regular file of `owner` or root. */
static FILE *
open_own(const char *path, uid_t owner)
{
	struct stat st;
	int fd = regular_file_open(path, O_NOFOLLOW, &st);
	FILE *file = NULL;

	if (fd < 0)
		return NULL;
	if (st.st_uid == owner || st.st_uid == 0)
		file = fdopen(fd, "r");
	if (file == NULL)
		close(fd);
	return file;
}

int
jitdump_pieces_open(struct jitdump_pieces *d, const char *path, uid_t owner,
    int32_t pid)
{
	struct header h;

	*d = (struct jitdump_pieces) { .file = open_own(path, owner) };
	if (d->file == NULL || !jitdump_pieces_read(d, 0, &h, sizeof(h)) ||
	    h.magic != MAGIC || h.bytes < sizeof(h) || h.pid != (uint32_t)pid)
		return 0;
	return read_records(d, h.bytes);
}

void
jitdump_pieces_close(struct jitdump_pieces *d)
{
	hash_index_free(&d->by_index);
	free(d->all);
	if (d->file != NULL)
		fclose(d->file);
}

/*
 * Context: O.  Names and lines of generated code, from a jitdump.
 *
 * The format is perf's, tools/perf/Documentation/jitdump-specification.txt of
 * Linux: a header, then records, each with its length.  Records also hold the
 * code itself, which is skipped.
 */
#include "code/jitdump.h"

#include "code/address_claims.h"
#include "base/hash_index.h"
#include "base/vector.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC		0x4a695444u
#define NAME_MOST	4096

/*
 * V8 adds to the addresses of its lines the bytes that the ELF header of perf
 * inject takes (its perf-jit.cc).  perf adds them itself since 5.8, and the
 * format does not mention them.  The shift shows in a dump in which the lines
 * of every piece of code begin there.
 */
#define V8_SHIFT	0x40u

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

struct debug_info {
	uint64_t address, count;
};

struct debug_entry {
	uint64_t address;
	uint32_t line, column;
};

/* A piece of code, and where the file has more on it. */
struct jit_code {
	uint64_t address, size, index;
	/* Offsets of its name and of the end of the record */
	uint64_t name;
	uint64_t name_end;
	uint64_t debug;		/* offset of struct debug_info; 0: none */
	uint64_t debug_end;
};

struct dump {
	FILE *file;
	struct jit_code *pieces;
	size_t count, room;
	struct hash_index by_index;
	/* Debug information that came before its code */
	uint64_t debug, debug_end;
	struct symbol *asked;
	size_t asked_count;
	struct arena *arena;
	struct lines *lines;
	uint64_t shift;		/* of addresses that have lines, see V8_SHIFT */
};

static bool
read_at(struct dump *d, uint64_t at, void *to, size_t bytes)
{
	return at <= INT64_MAX && fseeko(d->file, (off_t)at, SEEK_SET) == 0 &&
	    fread(to, 1, bytes, d->file) == bytes;
}

/* Returns the slot of the latest piece with an index, or NULL. */
static struct hash_index_slot *
find_latest_piece(struct dump *d, uint64_t index)
{
	const uint32_t hash = hash_index_hash(index);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&d->by_index, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (d->pieces[n].index == index)
			return &d->by_index.slots[(at - 1) &
			    (d->by_index.room - 1)];
	return NULL;
}

static int
add_piece(struct dump *d, const struct jit_code *p)
{
	struct hash_index_slot *had = find_latest_piece(d, p->index);

	if (d->count >= HASH_INDEX_NONE - 1 || vector_grow(&d->pieces, d->count,
	    &d->room, sizeof(*p)) != 0)
		return -ENOMEM;
	if (had != NULL)
		had->number = (uint32_t)d->count + 1;
	else if (hash_index_add(&d->by_index, hash_index_hash(p->index),
	    (uint32_t)d->count) != 0)
		return -ENOMEM;
	d->pieces[d->count++] = *p;
	return 0;
}

static int
add_load(struct dump *d, uint64_t at, uint64_t end)
{
	struct code_load c;
	struct jit_code p = { .debug = d->debug, .debug_end = d->debug_end };

	d->debug = 0;
	if (end - at < sizeof(c) || !read_at(d, at, &c, sizeof(c)))
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
add_move(struct dump *d, uint64_t at, uint64_t end)
{
	const struct hash_index_slot *had;
	struct code_move c;
	struct jit_code p;

	if (end - at < sizeof(c) || !read_at(d, at, &c, sizeof(c)))
		return 0;
	had = find_latest_piece(d, c.index);
	if (had == NULL)
		return 0;
	p = d->pieces[had->number - 1];
	p.address = c.address;
	p.size = c.size;
	p.debug = 0;	/* its addresses are the old ones */
	return add_piece(d, &p);
}

static int
read_records(struct dump *d, uint64_t at)
{
	struct prefix r;
	int ret = 0;

	for (; ret == 0 && read_at(d, at, &r, sizeof(r)) &&
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

/*
 * Reads a text of the file; *bytes is its length without its end.  Returns NULL
 * if there is none, or no memory.
 */
static const char *
read_text(struct dump *d, uint64_t at, uint64_t end, size_t *bytes)
{
	char text[NAME_MOST];
	size_t room = end - at < sizeof(text) ? (size_t)(end - at) :
	    sizeof(text);

	if (fseeko(d->file, (off_t)at, SEEK_SET) != 0)
		return NULL;
	room = fread(text, 1, room, d->file);
	*bytes = strnlen(text, room);
	return arena_copy(d->arena, text, *bytes);
}

static int
put_line(struct dump *d, size_t i, const char *file, uint32_t line)
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
put_lines(struct dump *d, const struct jit_code *p, const size_t *owner,
    uint64_t low, uint64_t high, const char *file, uint32_t line)
{
	const size_t self = (size_t)(p - d->pieces) + 1;
	int ret = 0;

	for (size_t i = symbol_lookup_lower_bound(d->asked, d->asked_count,
	    low); i < d->asked_count && d->asked[i].address < high && ret == 0;
	    i++)
		if (owner[i] == self)
			ret = put_line(d, i, file, line);
	return ret;
}

/*
 * Returns whether a text is UTF-8.  V8 writes some texts after it has freed
 * them, and then they are not.
 */
static bool
is_path(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at != '\0') {
		unsigned more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 :
		    *at < 0xf0 ? 2 : 3;

		if (*at < ' ' || *at == 0x7f || (*at >= 0x80 && *at < 0xc2) ||
		    *at > 0xf4)
			return false;
		for (at++; more > 0; more--, at++)
			if ((*at & 0xc0) != 0x80)
				return false;
	}
	return true;
}

/*
 * Reads the lines of a piece.  Entries must ascend and have paths; after one
 * that does not, the rest is not believed.
 */
static int
read_lines(struct dump *d, const struct jit_code *p, const size_t *owner)
{
	struct debug_entry e = { .address = p->address }, next;
	uint64_t at = p->debug + sizeof(struct debug_info);
	struct debug_info info = { .count = 0 };
	const char *file = NULL;
	int ret = 0;

	if (at <= p->debug_end)
		read_at(d, p->debug, &info, sizeof(info));
	for (; info.count > 0 && ret == 0 && at + sizeof(next) <
	    p->debug_end && read_at(d, at, &next, sizeof(next)) &&
	    next.address - d->shift >= e.address; info.count--) {
		const char *text;
		size_t bytes;

		next.address -= d->shift;

		if (file != NULL)
			ret = put_lines(d, p, owner, e.address, next.address,
			    file, e.line);
		text = read_text(d, at + sizeof(next), p->debug_end, &bytes);
		if (text == NULL)
			return -ENOMEM;
		/* "\377": the file of the entry before. */
		if (strcmp(text, "\377") != 0 && !is_path(text))
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
claim_piece_addresses(struct dump *d, struct address_claims *claims,
    size_t *owner, size_t number)
{
	const struct jit_code *p = &d->pieces[number];
	struct symbol *asked = d->asked;
	const char *name = NULL;
	size_t bytes;

	for (size_t i = address_claims_next_free(claims,
	    symbol_lookup_lower_bound(asked, d->asked_count, p->address));
	    i < d->asked_count && asked[i].address - p->address < p->size; i =
	    address_claims_next_free(claims, i)) {
		if (name == NULL)
			name = read_text(d, p->name, p->name_end, &bytes);
		if (name == NULL)
			return -ENOMEM;
		address_claims_take(claims, i);
		asked[i].name = name;
		asked[i].start = p->address;
		asked[i].bounded = true;
		owner[i] = number + 1;
	}
	if (name == NULL || d->lines == NULL || p->debug == 0)
		return 0;
	return read_lines(d, p, owner);
}

static void
find_shift(struct dump *d)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < d->count; i++) {
		const struct jit_code *p = &d->pieces[i];
		struct debug_entry first;

		if (p->debug != 0 && read_at(d, p->debug +
		    sizeof(struct debug_info), &first, sizeof(first)) &&
		    first.address - p->address < least)
			least = first.address - p->address;
	}
	d->shift = least == V8_SHIFT ? V8_SHIFT : 0;
}

static int
claim_all_pieces(struct dump *d)
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
	for (size_t i = d->count; i-- > 0 && ret == 0;)
		ret = claim_piece_addresses(d, &claims, owner, i);
	address_claims_end(&claims);
	free(owner);
	return ret;
}

/*
 * Opens the file if it is a regular file of `owner` or root.  Its kind is
 * checked before it is read: to read another kind can act, or wait.
 */
static FILE *
open_own(const char *path, uid_t owner)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	FILE *file = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == owner || st.st_uid == 0))
		file = fdopen(fd, "r");
	if (file == NULL)
		close(fd);
	return file;
}

int
jitdump_name(const char *path, uid_t owner, int32_t pid,
    struct symbol *asked, size_t count, struct arena *arena, struct lines *l)
{
	struct dump d = {
		.asked = asked, .asked_count = count, .arena = arena,
		.lines = l, .file = open_own(path, owner),
	};
	struct header h;
	int ret = 0;

	if (d.file == NULL)
		return 0;
	if (read_at(&d, 0, &h, sizeof(h)) && h.magic == MAGIC &&
	    h.bytes >= sizeof(h) && h.pid == (uint32_t)pid)
		ret = read_records(&d, h.bytes);
	if (ret == 0 && d.count != 0)
		ret = claim_all_pieces(&d);
	hash_index_free(&d.by_index);
	free(d.pieces);
	fclose(d.file);
	return ret;
}

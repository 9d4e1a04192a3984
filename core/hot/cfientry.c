/*
 * Context: S.  Entries of unwind tables: LSB 5.0, chapters 10.6 and 10.7.
 *
 * Every load is checked against the segments that the tables lie in.
 */
#include "cfientry.h"

#include <errno.h>

/* Encodings of pointers. */
enum {
	ABSOLUTE = 0x00, ULEB = 0x01, UDATA2 = 0x02, UDATA4 = 0x03,
	UDATA8 = 0x04, SLEB = 0x09, SDATA2 = 0x0a, SDATA4 = 0x0b, SDATA8 = 0x0c,
	FORM = 0x0f, PC_RELATIVE = 0x10, INDEX_RELATIVE = 0x30,
	RELATION = 0x70, INDIRECT = 0x80, OMITTED = 0xff,
};

uintptr_t
cfientry_pointer(struct cfientry_reader *r, unsigned char encoding,
    uintptr_t index)
{
	const uintptr_t here = (uintptr_t)r->at + r->moved;
	uintptr_t n;

	switch (encoding & FORM) {
	case ABSOLUTE:
	case UDATA8:
	case SDATA8:
		n = cfientry_number(r, 8);
		break;
	case UDATA4:
		n = cfientry_number(r, 4);
		break;
	case SDATA4:
		n = (uintptr_t)(int64_t)(int32_t)cfientry_number(r, 4);
		break;
	case UDATA2:
		n = cfientry_number(r, 2);
		break;
	case SDATA2:
		n = (uintptr_t)(int64_t)(int16_t)cfientry_number(r, 2);
		break;
	case ULEB:
		n = cfientry_uleb(r);
		break;
	case SLEB:
		n = (uintptr_t)cfientry_sleb(r);
		break;
	default:
		r->bad = true;
		return 0;
	}
	switch (encoding & RELATION) {
	case 0:
		return n;
	case PC_RELATIVE:
		return here + n;
	case INDEX_RELATIVE:
		return index + n;
	default:
		r->bad = true;
		return 0;
	}
}

/* Begins to read at `at`, which must lie in the bounds. */
static struct cfientry_reader
reader(uintptr_t low, uintptr_t high, uintptr_t at)
{
	struct cfientry_reader r = {NULL, NULL, 0, true};

	if (at >= low && at < high) {
		r.at = (const unsigned char *)at;
		r.end = (const unsigned char *)high;
		r.bad = false;
	}
	return r;
}

/* The beginning of an index: its version, and the encodings of its fields. */
struct index {
	unsigned char version, entries, counts, table;
};

static bool
read_index(struct cfientry_reader *r, struct index *i)
{
	i->version = (unsigned char)cfientry_number(r, 1);
	i->entries = (unsigned char)cfientry_number(r, 1);
	i->counts = (unsigned char)cfientry_number(r, 1);
	i->table = (unsigned char)cfientry_number(r, 1);
	return !r->bad && i->version == 1 && i->entries != OMITTED;
}

static bool
is_sorted(const struct index *i)
{
	return i->counts != OMITTED && i->table == (INDEX_RELATIVE | SDATA4);
}

bool
cfi_read_index(struct cfi_tables *t, const unsigned char head[CFI_INDEX_HEAD])
{
	struct cfientry_reader r = {head, head + CFI_INDEX_HEAD,
	    t->index - (uintptr_t)head, false};
	struct index i;

	if (!read_index(&r, &i))
		return false;
	t->entries = cfientry_pointer(&r, i.entries, t->index);
	t->sorted = is_sorted(&i);
	return !r.bad && (i.entries & INDIRECT) == 0;
}

/* One row of the sorted table; both values are relative to the index. */
struct place {
	int32_t code, entry;
} __attribute__((packed));

static uintptr_t
search(struct cfientry_reader *r, uintptr_t index, uint64_t count, uintptr_t pc)
{
	const struct place *place = (const void *)r->at;
	const int64_t wanted = (int64_t)(pc - index);
	uint64_t low = 0, high = count;

	if (count > (size_t)(r->end - r->at) / sizeof *place)
		return 0;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (place[middle].code <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? 0 :
	    index + (uintptr_t)(int64_t)place[low - 1].entry;
}

/* Returns the address of the entry that holds pc, or 0. */
static uintptr_t
find_sorted(const struct cfi_tables *t, uintptr_t pc)
{
	struct cfientry_reader r = reader(t->low, t->high, t->index);
	struct index i;
	uint64_t count;

	if (!read_index(&r, &i) || !is_sorted(&i))
		return 0;
	cfientry_pointer(&r, i.entries, t->index);
	count = cfientry_pointer(&r, i.counts, t->index);
	return r.bad ? 0 : search(&r, t->index, count, pc);
}

/*
 * Returns the bytes of a record after its length; they must lie in the tables.
 */
static struct cfientry_reader
record(const struct cfi_tables *t, uintptr_t at)
{
	struct cfientry_reader r = reader(t->from, t->to, at);
	uint64_t length = cfientry_number(&r, 4);

	/*
	 * 0 ends the section.  All ones mark a 64-bit length, which no compiler
	 * emits here.
	 */
	if (length == 0 || length == UINT32_MAX ||
	    length > (size_t)(r.end - r.at))
		r.bad = true;
	else
		r.end = r.at + length;
	return r;
}

static void
take_augmentation(struct cfientry *e, struct cfientry_reader *r,
    const char *letters)
{
	struct cfientry_reader own = *r;
	uint64_t length = cfientry_uleb(r);

	if (r->bad || length > (size_t)(r->end - r->at)) {
		r->bad = true;
		return;
	}
	own.at = r->at;
	own.end = r->at += length;
	for (; *letters != '\0' && !own.bad; letters++) {
		if (*letters == 'R')
			e->encoding = (unsigned char)cfientry_number(&own, 1);
		else if (*letters == 'P')
			cfientry_pointer(&own, (unsigned char)
			    cfientry_number(&own, 1) & (FORM | RELATION), 0);
		else if (*letters == 'L')
			cfientry_number(&own, 1);
		else if (*letters == 'S')
			e->signal = true;
		else if (*letters != 'B' && *letters != 'G')
			break;		/* the fields after these are not
					   needed */
	}
}

static int
read_common(const struct cfi_tables *t, uintptr_t at, struct cfientry *e)
{
	struct cfientry_reader r = record(t, at);
	const char *letters;
	uint64_t version;

	if (cfientry_number(&r, 4) != 0)
		return -EINVAL;
	version = cfientry_number(&r, 1);
	letters = (const char *)r.at;
	while (!r.bad && cfientry_number(&r, 1) != 0)
		;
	e->code_unit = cfientry_uleb(&r);
	e->data_unit = cfientry_sleb(&r);
	e->ra = version == 1 ? cfientry_number(&r, 1) : cfientry_uleb(&r);
	if (r.bad || (version != 1 && version != 3))
		return -EINVAL;
	e->augmented = letters[0] == 'z';
	if (e->augmented)
		take_augmentation(e, &r, letters + 1);
	else if (letters[0] != '\0')
		return -EINVAL;
	e->first = r;
	return r.bad ? -EINVAL : 0;
}

static int
read_entry(const struct cfi_tables *t, uintptr_t at, struct cfientry *e)
{
	struct cfientry_reader r = record(t, at);
	const uintptr_t back_from = (uintptr_t)r.at;
	uint64_t back = cfientry_number(&r, 4);
	int ret;

	if (r.bad || back == 0)
		return -EINVAL;
	mem_zero(e, sizeof *e);
	ret = read_common(t, back_from - back, e);
	if (ret != 0)
		return ret;
	e->begin = cfientry_pointer(&r, e->encoding & (FORM | RELATION),
	    t->index);
	e->end = e->begin + cfientry_pointer(&r, e->encoding & FORM, t->index);
	if (e->augmented) {
		uint64_t length = cfientry_uleb(&r);

		if (length > (size_t)(r.end - r.at))
			return -EINVAL;
		r.at += length;
	}
	e->code = r;
	return r.bad || (e->encoding & INDIRECT) != 0 ? -EINVAL : 0;
}

/*
 * Searches all entries: a linker that makes no index leaves them in the order
 * of its inputs.
 */
static int
find_unsorted(const struct cfi_tables *t, uintptr_t pc, struct cfientry *e)
{
	uintptr_t at = t->entries;
	struct cfientry_reader r = record(t, at);

	while (!r.bad) {
		if ((uintptr_t)r.end - t->entries > CFI_UNSORTED)
			return -E2BIG;
		at = (uintptr_t)r.at - 4;
		/* A CIE has 0 where an FDE has the offset of its CIE. */
		if (cfientry_number(&r, 4) != 0 && read_entry(t, at, e) == 0 &&
		    pc >= e->begin && pc < e->end)
			return 0;
		r = record(t, (uintptr_t)r.end);
	}
	return -ENOENT;
}

int
cfientry_find(const struct cfi_tables *t, uintptr_t pc, struct cfientry *e)
{
	uintptr_t at;
	int ret;

	if (t->index == 0)
		return -ENOENT;
	if (!t->sorted)
		return find_unsorted(t, pc, e);
	at = find_sorted(t, pc);
	if (at == 0)
		return -ENOENT;
	ret = read_entry(t, at, e);
	return ret != 0 ? ret : pc < e->begin || pc >= e->end ? -ENOENT : 0;
}

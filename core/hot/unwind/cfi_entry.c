/*
 * Context: S.  Finds and reads entries of unwind tables, for cfi.c and
 * elf_headers.c: LSB 5.0, chapters 10.6 and 10.7.
 *
 * Every load is checked against the segments that the tables lie in.
 */
#include "unwind/cfi_entry.h"

#include <errno.h>

/* Encodings of pointers. */
enum {
	ABSOLUTE = 0x00, ULEB = 0x01, UDATA2 = 0x02, UDATA4 = 0x03,
	UDATA8 = 0x04, SLEB = 0x09, SDATA2 = 0x0a, SDATA4 = 0x0b, SDATA8 = 0x0c,
	FORM = 0x0f, PC_RELATIVE = 0x10, INDEX_RELATIVE = 0x30,
	RELATION = 0x70, INDIRECT = 0x80, OMITTED = 0xff,
};

uintptr_t
cfi_entry_pointer(struct cfi_entry_reader *r, unsigned char encoding,
    uintptr_t index)
{
	const uintptr_t here = (uintptr_t)r->at + r->to_run_time;
	uintptr_t n;

	switch (encoding & FORM) {
	case ABSOLUTE:
	case UDATA8:
	case SDATA8:
		n = cfi_entry_number(r, 8);
		break;
	case UDATA4:
		n = cfi_entry_number(r, 4);
		break;
	case SDATA4:
		n = (uintptr_t)(int64_t)(int32_t)cfi_entry_number(r, 4);
		break;
	case UDATA2:
		n = cfi_entry_number(r, 2);
		break;
	case SDATA2:
		n = (uintptr_t)(int64_t)(int16_t)cfi_entry_number(r, 2);
		break;
	case ULEB:
		n = cfi_entry_uleb(r);
		break;
	case SLEB:
		n = (uintptr_t)cfi_entry_sleb(r);
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
static struct cfi_entry_reader
open_cfi_reader(uintptr_t low, uintptr_t high, uintptr_t at)
{
	struct cfi_entry_reader r = {NULL, NULL, 0, true};

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
read_index_head(struct cfi_entry_reader *r, struct index *i)
{
	i->version = (unsigned char)cfi_entry_number(r, 1);
	i->entries = (unsigned char)cfi_entry_number(r, 1);
	i->counts = (unsigned char)cfi_entry_number(r, 1);
	i->table = (unsigned char)cfi_entry_number(r, 1);
	return !r->bad && i->version == 1 && i->entries != OMITTED;
}

static bool
is_sorted_index(const struct index *i)
{
	return i->counts != OMITTED && i->table == (INDEX_RELATIVE | SDATA4);
}

bool
cfi_entry_read_index(struct cfi_tables *t,
    const unsigned char head[CFI_INDEX_HEAD_BYTES])
{
	struct cfi_entry_reader r = {head, head + CFI_INDEX_HEAD_BYTES,
	    t->index - (uintptr_t)head, false};
	struct index i;

	if (!read_index_head(&r, &i))
		return false;
	t->entries = cfi_entry_pointer(&r, i.entries, t->index);
	t->sorted = is_sorted_index(&i);
	return !r.bad && (i.entries & INDIRECT) == 0;
}

/* One row of the sorted table; both values are relative to the index. */
struct index_row {
	int32_t code, entry;
} __attribute__((packed));

/*
 * Searches the rows that begin at r->at.  Returns the address of the entry that
 * may hold pc, or 0.
 */
static uintptr_t
search_sorted_index(struct cfi_entry_reader *r, uintptr_t index, uint64_t count,
    uintptr_t pc)
{
	const struct index_row *index_row = (const void *)r->at;
	const int64_t wanted = (int64_t)(pc - index);
	uint64_t low = 0, high = count;

	if (count > (size_t)(r->end - r->at) / sizeof(*index_row))
		return 0;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (index_row[middle].code <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? 0 :
	    index + (uintptr_t)(int64_t)index_row[low - 1].entry;
}

/* Returns the address of the entry that holds pc, or 0. */
static uintptr_t
find_by_sorted_index(const struct cfi_tables *t, uintptr_t pc)
{
	struct cfi_entry_reader r = open_cfi_reader(t->low, t->high, t->index);
	struct index i;
	uint64_t count;

	if (!read_index_head(&r, &i) || !is_sorted_index(&i))
		return 0;
	cfi_entry_pointer(&r, i.entries, t->index);
	count = cfi_entry_pointer(&r, i.counts, t->index);
	return r.bad ? 0 : search_sorted_index(&r, t->index, count, pc);
}

/*
 * Returns the bytes of a record after its length; they must lie in the tables.
 */
static struct cfi_entry_reader
open_cfi_record(const struct cfi_tables *t, uintptr_t at)
{
	struct cfi_entry_reader r = open_cfi_reader(t->from, t->to, at);
	uint64_t length = cfi_entry_number(&r, 4);

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

/* Reads the fields that the letters of a CIE announce. */
static void
read_augmentation(struct cfi_entry *e, struct cfi_entry_reader *r,
    const char *letters)
{
	struct cfi_entry_reader own = *r;
	uint64_t length = cfi_entry_uleb(r);

	if (r->bad || length > (size_t)(r->end - r->at)) {
		r->bad = true;
		return;
	}
	own.at = r->at;
	own.end = r->at += length;
	for (; *letters != '\0' && !own.bad; letters++) {
		if (*letters == 'R')
			e->encoding = (unsigned char)cfi_entry_number(&own, 1);
		else if (*letters == 'P')
			cfi_entry_pointer(&own, (unsigned char)
			    cfi_entry_number(&own, 1) & (FORM | RELATION), 0);
		else if (*letters == 'L')
			cfi_entry_number(&own, 1);
		else if (*letters == 'S')
			e->signal = true;
		else if (*letters != 'B' && *letters != 'G')
			/* the fields after these are not needed */
			break;
	}
}

/* Reads the common entry at `at` into *e.  Returns 0 or -EINVAL. */
static int
read_cie(const struct cfi_tables *t, uintptr_t at, struct cfi_entry *e)
{
	struct cfi_entry_reader r = open_cfi_record(t, at);
	const char *letters;
	uint64_t version;

	if (cfi_entry_number(&r, 4) != 0)
		return -EINVAL;
	version = cfi_entry_number(&r, 1);
	letters = (const char *)r.at;
	while (!r.bad && cfi_entry_number(&r, 1) != 0)
		;
	e->code_unit = cfi_entry_uleb(&r);
	e->data_unit = cfi_entry_sleb(&r);
	e->ra = version == 1 ? cfi_entry_number(&r, 1) : cfi_entry_uleb(&r);
	if (r.bad || (version != 1 && version != 3))
		return -EINVAL;
	e->augmented = letters[0] == 'z';
	if (e->augmented)
		read_augmentation(e, &r, letters + 1);
	else if (letters[0] != '\0')
		return -EINVAL;
	e->cie_code = r;
	return r.bad ? -EINVAL : 0;
}

/*
 * Reads the entry at `at`, and its common entry, into *e.  Returns 0 or
 * -EINVAL.
 */
static int
read_fde(const struct cfi_tables *t, uintptr_t at, struct cfi_entry *e)
{
	struct cfi_entry_reader r = open_cfi_record(t, at);
	const uintptr_t back_from = (uintptr_t)r.at;
	uint64_t back = cfi_entry_number(&r, 4);
	int ret;

	if (r.bad || back == 0)
		return -EINVAL;
	mem_zero(e, sizeof(*e));
	ret = read_cie(t, back_from - back, e);
	if (ret != 0)
		return ret;
	e->begin = cfi_entry_pointer(&r, e->encoding & (FORM | RELATION),
	    t->index);
	e->end = e->begin + cfi_entry_pointer(&r, e->encoding & FORM, t->index);
	if (e->augmented) {
		uint64_t length = cfi_entry_uleb(&r);

		if (length > (size_t)(r.end - r.at))
			return -EINVAL;
		r.at += length;
	}
	e->fde_code = r;
	return r.bad || (e->encoding & INDIRECT) != 0 ? -EINVAL : 0;
}

/*
 * Searches all entries: a linker that makes no index leaves them in the order
 * of its inputs.
 */
static int
find_by_scanning_fdes(const struct cfi_tables *t, uintptr_t pc,
    struct cfi_entry *e)
{
	uintptr_t at = t->entries;
	struct cfi_entry_reader r = open_cfi_record(t, at);

	while (!r.bad) {
		if ((uintptr_t)r.end - t->entries > CFI_UNSORTED_BYTES)
			return -E2BIG;
		at = (uintptr_t)r.at - 4;
		/* A CIE has 0 where an FDE has the offset of its CIE. */
		if (cfi_entry_number(&r, 4) != 0 && read_fde(t, at, e) == 0 &&
		    pc >= e->begin && pc < e->end)
			return 0;
		r = open_cfi_record(t, (uintptr_t)r.end);
	}
	return -ENOENT;
}

int
cfi_entry_find(const struct cfi_tables *t, uintptr_t pc, struct cfi_entry *e)
{
	uintptr_t at;
	int ret;

	if (t->index == 0)
		return -ENOENT;
	if (!t->sorted)
		return find_by_scanning_fdes(t, pc, e);
	at = find_by_sorted_index(t, pc);
	if (at == 0)
		return -ENOENT;
	ret = read_fde(t, at, e);
	return ret != 0 ? ret : pc < e->begin || pc >= e->end ? -ENOENT : 0;
}

/*
 * Context: O.  Reads .eh_frame_hdr, or .eh_frame, of an ELF file, for object.c
 * and symbol_lookup.c; see ehframe.h.
 */
#include "elf/ehframe.h"

#include "base/compare.h"
#include "base/vector.h"

#include <endian.h>
#include <string.h>

/* DWARF pointer encodings (LSB core specification 5.0, 10.5). */
enum {
	PE_FORM = 0x0f, PE_APPLY = 0x70, PE_INDIRECT = 0x80, PE_OMIT = 0xff,
	PE_ABSPTR = 0x00, PE_UDATA2 = 0x02, PE_UDATA4 = 0x03, PE_UDATA8 = 0x04,
	PE_SDATA2 = 0x0a, PE_SDATA4 = 0x0b, PE_SDATA8 = 0x0c,
	PE_PCREL = 0x10, PE_DATAREL = 0x30,
};

#define HEADER_ENTRY 8		/* table encoding datarel | sdata4, twice */
#define RECORD_MOST 65536	/* bytes of one FDE or CIE; most have 30 */

/*
 * Bytes that are being read, and the link-time address of the first.  A read
 * past `end` sets `bad` and gives 0.
 */
struct cursor {
	const unsigned char *at;
	const unsigned char *end;
	uint64_t address;
	bool bad;
};

static void
cursor_skip(struct cursor *c, size_t bytes)
{
	if ((size_t)(c->end - c->at) < bytes) {
		c->bad = true;
		bytes = (size_t)(c->end - c->at);
	}
	c->at += bytes;
	c->address += bytes;
}

/* Reads a little-endian number of `bytes` bytes, at most 8. */
static uint64_t
cursor_take(struct cursor *c, size_t bytes)
{
	const unsigned char *at = c->at;
	uint64_t value = 0;

	cursor_skip(c, bytes);
	if (c->bad)
		return 0;
	memcpy(&value, at, bytes);
	return le64toh(value);
}

static uint64_t
cursor_uleb(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; ; shift += 7) {
		uint64_t byte = cursor_take(c, 1);

		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		if (c->bad || (byte & 0x80) == 0)
			return value;
	}
}

/* Reads a number of an encoding's form; sets c->bad for an unknown one. */
static uint64_t
cursor_form(struct cursor *c, unsigned encoding)
{
	switch (encoding & PE_FORM) {
	case PE_UDATA2:
		return cursor_take(c, 2);
	case PE_UDATA4:
		return cursor_take(c, 4);
	case PE_SDATA2:
		return (uint64_t)(int16_t)cursor_take(c, 2);
	case PE_SDATA4:
		return (uint64_t)(int32_t)cursor_take(c, 4);
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		return cursor_take(c, 8);
	default:
		c->bad = true;
		return 0;
	}
}

/* Reads a pointer; sets c->bad for an encoding that is not understood. */
static uint64_t
cursor_pointer(struct cursor *c, unsigned encoding)
{
	uint64_t here = c->address;
	uint64_t value = cursor_form(c, encoding);

	switch (encoding & (PE_APPLY | PE_INDIRECT)) {
	case PE_ABSPTR:
		return value;
	case PE_PCREL:
		return here + value;
	default:
		c->bad = true;
		return 0;
	}
}

/*
 * Moves the cursor to a link-time address of the file, with `most` bytes at
 * most.  Returns false if the file has none there.
 */
static bool
cursor_set(struct cursor *c, const struct elf_file *f, uint64_t address,
    size_t most)
{
	size_t left;

	c->at = elf_file_at(f, address, most, &left);
	if (c->at == NULL)
		return false;
	c->end = c->at + left;
	c->address = address;
	c->bad = false;
	return true;
}

/*
 * Returns how the FDEs of a CIE encode their pointers; PE_OMIT: not understood.
 */
static unsigned
cie_encoding(struct cursor c)
{
	const char *augmentation;
	unsigned encoding = PE_ABSPTR;
	uint64_t version;

	cursor_skip(&c, 8);		/* length, and the 0 that marks a CIE */
	version = cursor_take(&c, 1);
	augmentation = (const char *)c.at;
	while (cursor_take(&c, 1) != 0)
		;
	if (c.bad || (version != 1 && version != 3))
		return PE_OMIT;
	if (augmentation[0] != 'z')
		return augmentation[0] == '\0' ? PE_ABSPTR : PE_OMIT;
	cursor_uleb(&c);		/* code alignment */
	cursor_uleb(&c);		/* data alignment, signed */
	if (version == 1)
		cursor_skip(&c, 1);
	else
		cursor_uleb(&c);
	cursor_uleb(&c);		/* length of what follows */
	for (const char *a = augmentation + 1; *a != '\0'; a++) {
		if (*a == 'R')
			encoding = (unsigned)cursor_take(&c, 1);
		else if (*a == 'L')
			cursor_skip(&c, 1);
		else if (*a == 'P')
			cursor_form(&c, (unsigned)cursor_take(&c, 1));
		else if (*a != 'S' && *a != 'B')
			return PE_OMIT;
	}
	return c.bad ? PE_OMIT : encoding;
}

/*
 * Reads one record at c.  Returns false at the end of the section or of what
 * can be read.  range->end is 0 if the record is a CIE or was not understood.
 */
static bool
fde_read(struct cursor *c, const struct elf_file *f,
    struct ehframe_range *range)
{
	struct cursor record = *c, cie;
	uint64_t length = cursor_take(&record, 4);
	uint64_t here = record.address, back;
	unsigned encoding;

	range->end = 0;
	/*
	 * A length of 0 ends the section; a 64-bit record would need 4 GiB of
	 * unwind data.
	 */
	if (record.bad || length == 0 || length == UINT32_MAX)
		return false;
	cursor_skip(c, 4 + length);
	if (c->bad)
		return false;
	record.end = c->at;
	back = cursor_take(&record, 4);
	if (back == 0 || !cursor_set(&cie, f, here - back, RECORD_MOST))
		return true;
	encoding = cie_encoding(cie);
	range->start = cursor_pointer(&record, encoding);
	length = cursor_form(&record, encoding);
	if (!record.bad && range->start + length > range->start)
		range->end = range->start + length;
	return true;
}

static int
range_compare(const void *left, const void *right)
{
	const struct ehframe_range *a = left, *b = right;

	return compare_u64(a->start, b->start);
}

/*
 * Reads .eh_frame into e->ranges.  Returns 0, also if there is none, or
 * -ENOMEM.
 */
static int
ehframe_read_all(struct ehframe *e)
{
	Elf_Scn *section = elf_file_section(e->file, ".eh_frame");
	Elf64_Shdr header;
	struct ehframe_range range;
	struct cursor c;

	if (!elf_file_header(section, &header) ||
	    header.sh_type == SHT_NOBITS ||
	    !cursor_set(&c, e->file, header.sh_addr, header.sh_size))
		return 0;
	while (fde_read(&c, e->file, &range)) {
		if (range.end == 0)
			continue;
		if (vector_grow(&e->ranges, e->count, &e->room,
		    sizeof(range)) != 0)
			return -ENOMEM;
		e->ranges[e->count++] = range;
	}
	if (e->count > 1)
		qsort(e->ranges, e->count, sizeof(range), range_compare);
	return 0;
}

/*
 * Uses .eh_frame_hdr if it has the usual sorted table; returns whether it has.
 */
static bool
ehframe_use_header(struct ehframe *e, uint64_t address, size_t bytes)
{
	struct cursor c;
	uint64_t version, frame, count, table;

	if (!cursor_set(&c, e->file, address, bytes))
		return false;
	version = cursor_take(&c, 1);
	frame = cursor_take(&c, 1);
	count = cursor_take(&c, 1);
	table = cursor_take(&c, 1);
	if (c.bad || version != 1 || count != PE_UDATA4 ||
	    table != (PE_DATAREL | PE_SDATA4))
		return false;
	cursor_form(&c, (unsigned)frame);
	count = cursor_take(&c, 4);
	if (c.bad || count == 0 ||
	    count > (size_t)(c.end - c.at) / HEADER_ENTRY)
		return false;
	e->table = c.at;
	e->table_base = address;
	e->count = count;
	return true;
}

int
ehframe_open(struct ehframe *e, const struct elf_file *f)
{
	memset(e, 0, sizeof(*e));
	e->file = f;
	for (size_t i = 0; i < f->segment_count; i++)
		if (f->segments[i].p_type == PT_GNU_EH_FRAME &&
		    ehframe_use_header(e, f->segments[i].p_vaddr,
		    f->segments[i].p_filesz))
			return 0;
	return ehframe_read_all(e);
}

void
ehframe_close(struct ehframe *e)
{
	free(e->ranges);
	memset(e, 0, sizeof(*e));
}

static uint64_t
ehframe_word(const struct ehframe *e, size_t entry, size_t word)
{
	uint32_t value;

	memcpy(&value, e->table + entry * HEADER_ENTRY + word * 4, 4);
	return e->table_base + (uint64_t)(int32_t)le32toh(value);
}

static uint64_t
ehframe_start(const struct ehframe *e, size_t entry)
{
	return e->table != NULL ? ehframe_word(e, entry, 0) :
	    e->ranges[entry].start;
}

bool
ehframe_before(const struct ehframe *e, uint64_t pc,
    struct ehframe_range *range)
{
	size_t low = 0, high = e->count;
	struct cursor c;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ehframe_start(e, middle) <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return false;
	if (e->table == NULL) {
		*range = e->ranges[low - 1];
		return true;
	}
	return cursor_set(&c, e->file, ehframe_word(e, low - 1, 1),
	    RECORD_MOST) && fde_read(&c, e->file, range) && range->end != 0;
}

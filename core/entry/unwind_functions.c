/*
 * Context: P.  Reads .eh_frame_hdr and the records of functions that it leads
 * to; see unwind_functions.h.
 */
#include "unwind_functions.h"
#include "code_reader.h"

#define HEADER_VERSION	1
/* 4 signed bytes from the header on: the form that can be searched */
#define FORM_ENTRIES	0x3b
#define ENTRY_BYTES	8
#define LENGTH_64	0xffffffffu	/* the length follows in 8 bytes */

/* Rules of DWARF, by their first byte. */
#define RULE_NONE	0x00	/* DW_CFA_nop */
#define RULE_CFA	0x0c	/* DW_CFA_def_cfa, and three like it */
#define RULE_CFA_LAST	0x0f
#define RULE_ARGUMENTS	0x2e	/* DW_CFA_GNU_args_size */
#define RULE_SAVED	0x80	/* DW_CFA_offset, with a register */
#define RULE_RESTORED	0xc0	/* DW_CFA_restore, with one */

/* Reads an entry of the table: a function's start, and its record. */
static bool
read_entry(const struct unwind_functions *u, uint64_t index, uint64_t *start,
    uint64_t *record)
{
	struct code_reader r;

	code_reader_start(&r, u->image, u->entries + ENTRY_BYTES * index);
	*start = code_reader_pointer(&r, FORM_ENTRIES, u->header);
	*record = code_reader_pointer(&r, FORM_ENTRIES, u->header);
	return !r.failed;
}

static bool
is_sorted(const struct unwind_functions *u)
{
	uint64_t before = 0, start, record;

	for (uint64_t i = 0; i < u->count; i++) {
		if (!read_entry(u, i, &start, &record) || start < before)
			return false;
		before = start;
	}
	return true;
}

bool
unwind_functions_open(struct unwind_functions *u,
    const struct code_image *image)
{
	unsigned version, frames, counts, entries;
	struct code_reader r;
	size_t room;

	*u = (struct unwind_functions) { .image = image,
	    .header = image->table };
	code_reader_start(&r, image, image->table);
	version = (unsigned)code_reader_number(&r, 1);
	frames = (unsigned)code_reader_number(&r, 1);
	counts = (unsigned)code_reader_number(&r, 1);
	entries = (unsigned)code_reader_number(&r, 1);
	if (image->table == 0 || r.failed || version != HEADER_VERSION ||
	    counts == CODE_READER_OMITTED || entries != FORM_ENTRIES)
		return false;
	if (frames != CODE_READER_OMITTED)
		code_reader_pointer(&r, frames, image->table);
	u->count = code_reader_pointer(&r, counts, image->table);
	u->entries = r.address;
	room = r.failed ? 0 : r.room;
	if (u->count > room / ENTRY_BYTES)
		u->count = room / ENTRY_BYTES;
	if (!is_sorted(u))
		u->count = 0;
	return u->count != 0;
}

/*
 * Reads the length of a record and what follows it: 0, or the way back to the
 * common record.  Returns the address of that second word, and sets *back, and
 * *end to the address where the record ends.
 */
static uint64_t
read_record(struct code_reader *r, uint64_t *back, uint64_t *end)
{
	uint64_t here, bytes = code_reader_number(r, 4);

	if (bytes == LENGTH_64)
		bytes = code_reader_number(r, 8);
	here = r->address;
	*end = here + bytes;
	*back = code_reader_number(r, 4);
	return here;
}

/* Reads the letters of the augmentation, up to `room` of them. */
static bool
read_letters(struct code_reader *r, char *letters, size_t room)
{
	for (size_t i = 0; i < room; i++) {
		letters[i] = (char)code_reader_number(r, 1);
		if (letters[i] == '\0')
			return !r->failed;
	}
	return false;
}

/* Reads what a letter stands for.  Returns whether it is known. */
static bool
read_extra(struct code_reader *r, char letter, struct unwind_common *c)
{
	unsigned form;

	switch (letter) {
	case 'R':
		c->pointers = (uint8_t)code_reader_number(r, 1);
		return true;
	case 'L':
		c->tables = (uint8_t)code_reader_number(r, 1);
		return true;
	case 'P':
		form = (unsigned)code_reader_number(r, 1);
		/* The personality routine; where it is does not matter. */
		code_reader_pointer(r, form & CODE_READER_VALUE, 0);
		return true;
	case 'S':	/* a frame of a signal */
	case 'B':	/* of another architecture */
		return true;
	default:
		return false;
	}
}

static bool
read_common(struct unwind_functions *u, uint64_t address)
{
	struct unwind_common *c = &u->last;
	struct code_reader r;
	unsigned version;
	char letters[8];
	uint64_t back, end;

	*c = (struct unwind_common) { .tables = CODE_READER_OMITTED };
	code_reader_start(&r, u->image, address);
	read_record(&r, &back, &end);
	if (back != 0)
		return false;
	version = (unsigned)code_reader_number(&r, 1);
	if ((version != 1 && version != 3) || !read_letters(&r, letters,
	    sizeof(letters)))
		return false;
	code_reader_uleb(&r);			/* unit of code */
	code_reader_sleb(&r);			/* unit of data */
	/* the return's register: a byte, or from version 3 on a LEB128 */
	code_reader_uleb(&r);
	c->has_bytes = letters[0] == 'z';
	if (c->has_bytes)
		code_reader_uleb(&r);
	for (size_t i = c->has_bytes; letters[i] != '\0'; i++)
		if (!read_extra(&r, letters[i], c))
			return false;
	if (r.failed)
		return false;
	c->address = address;
	return true;
}

/*
 * Returns whether rules hold from the first byte on that no function begins
 * with: at its entry a function has pushed and saved nothing.  The rules end
 * where the record does, `left` bytes further on.
 */
static bool
begins_with_frame(struct code_reader *r, uint64_t left)
{
	const uint64_t end = r->address + left;

	while (!r->failed && r->address < end) {
		const unsigned rule = (unsigned)code_reader_number(r, 1);

		if (rule >= RULE_CFA && rule <= RULE_CFA_LAST)
			return true;
		if (rule >= RULE_SAVED && rule < RULE_RESTORED)
			return true;
		if (rule == RULE_ARGUMENTS)
			code_reader_uleb(r);
		else if (rule != RULE_NONE)
			return false;
	}
	return false;
}

/* Reads where the landing pads are, behind the length of the extras. */
static void
read_landing_pads(const struct unwind_functions *u, struct code_reader *r,
    struct unwind_function *f)
{
	const struct unwind_common *c = &u->last;
	const uint64_t bytes = code_reader_uleb(r), here = r->address;

	if (c->tables != CODE_READER_OMITTED) {
		f->landing_pads = code_reader_pointer(r, c->tables, u->header);
		/* 0 means none, whatever it is relative to. */
		if (c->tables > CODE_READER_VALUE && f->landing_pads == here)
			f->landing_pads = 0;
	}
	if (r->address - here <= bytes)
		code_reader_skip(r, bytes - (r->address - here));
	else
		r->failed = true;
}

/*
 * Reads the record of a function, behind the way to its common record, up to
 * the address `end`.
 */
static bool
read_function(const struct unwind_functions *u, struct code_reader *r,
    uint64_t end, struct unwind_function *f)
{
	const struct unwind_common *c = &u->last;
	const struct code_segment *s;

	f->start = code_reader_pointer(r, c->pointers, u->header);
	f->bytes = code_reader_pointer(r, c->pointers & CODE_READER_VALUE, 0);
	f->landing_pads = 0;
	if (c->has_bytes)
		read_landing_pads(u, r, f);
	s = code_image_segment(u->image, f->start);
	if (r->failed || s == NULL || !s->executable || f->bytes == 0 ||
	    f->bytes > s->bytes - (f->start - s->address))
		return false;
	f->part = end > r->address && begins_with_frame(r, end - r->address);
	return true;
}

bool
unwind_functions_read(struct unwind_functions *u, uint64_t index,
    struct unwind_function *function)
{
	struct code_reader r;
	uint64_t at, back, end, record, start;

	if (index >= u->count || !read_entry(u, index, &start, &record))
		return false;
	code_reader_start(&r, u->image, record);
	at = read_record(&r, &back, &end);
	if (r.failed || back == 0)
		return false;
	if (u->last.address != at - back && !read_common(u, at - back))
		return false;
	return read_function(u, &r, end, function) &&
	    function->start == start;
}

/* Returns how many entries of the table start at or before the address. */
static uint64_t
count_starts(const struct unwind_functions *u, uint64_t address)
{
	uint64_t low = 0, high = u->count;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;
		uint64_t start, record;

		if (read_entry(u, middle, &start, &record) && start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
unwind_functions_find(struct unwind_functions *u, uint64_t address,
    struct unwind_function *function)
{
	const uint64_t before = count_starts(u, address);

	return before != 0 && unwind_functions_read(u, before - 1, function) &&
	    address - function->start < function->bytes;
}

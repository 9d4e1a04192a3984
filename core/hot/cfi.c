/*
 * Context: S.  Unwind tables: LSB 5.0, chapters 10.6 and 10.7; DWARF 5, 6.4.
 *
 * Every load is checked against the segments that the tables lie in.  The
 * columns of other registers than those that a walk follows are passed over.
 */
#include "cfi.h"

#include "frame.h"
#include "str.h"

#include <errno.h>

#define STATES		4	/* remembered at once; compilers use one */

/* Encodings of pointers. */
enum {
	ABSOLUTE = 0x00, ULEB = 0x01, UDATA2 = 0x02, UDATA4 = 0x03,
	UDATA8 = 0x04, SLEB = 0x09, SDATA2 = 0x0a, SDATA4 = 0x0b, SDATA8 = 0x0c,
	FORM = 0x0f, PC_RELATIVE = 0x10, INDEX_RELATIVE = 0x30,
	RELATION = 0x70, INDIRECT = 0x80, OMITTED = 0xff,
};

struct reader {
	const unsigned char *at, *end;
	uintptr_t moved;	/* where the bytes really are, less here */
	bool bad;		/* something was not there, or unknown */
};

struct entry {
	uintptr_t begin, end;	/* of the code */
	struct reader first, code;	/* instructions of the CIE, of the FDE */
	uint64_t code_unit;
	int64_t data_unit;
	uint64_t ra;		/* column */
	unsigned char encoding;
	bool augmented, signal;
};

struct machine {
	const struct entry *entry;
	struct cfi_row row, initial;
	struct cfi_row kept[STATES];
	unsigned depth;
	uintptr_t at, pc;
};

static uint64_t
number(struct reader *r, unsigned bytes)
{
	uint64_t n = 0;

	if ((size_t)(r->end - r->at) < bytes) {
		r->bad = true;
		r->at = r->end;
		return 0;
	}
	mem_copy(&n, r->at, bytes);
	r->at += bytes;
	return n;
}

uint64_t
cfi_uleb(const unsigned char **p, const unsigned char *end)
{
	unsigned shift = 0;
	uint64_t n = 0;

	while (*p < end) {
		unsigned char byte = *(*p)++;

		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if ((byte & 0x80) == 0)
			break;
	}
	return n;
}

int64_t
cfi_sleb(const unsigned char **p, const unsigned char *end)
{
	unsigned shift = 0;
	uint64_t n = 0;
	unsigned char byte = 0;

	while (*p < end) {
		byte = *(*p)++;
		if (shift < 64)
			n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if ((byte & 0x80) == 0)
			break;
	}
	if ((byte & 0x40) != 0 && shift < 64)
		n |= ~(uint64_t)0 << shift;
	return (int64_t)n;
}

static uint64_t
uleb(struct reader *r)
{
	if (r->at == r->end)
		r->bad = true;
	return cfi_uleb(&r->at, r->end);
}

static int64_t
sleb(struct reader *r)
{
	if (r->at == r->end)
		r->bad = true;
	return cfi_sleb(&r->at, r->end);
}

static uintptr_t
pointer(struct reader *r, unsigned char encoding, uintptr_t index)
{
	const uintptr_t here = (uintptr_t)r->at + r->moved;
	uintptr_t n;

	switch (encoding & FORM) {
	case ABSOLUTE:
	case UDATA8:
	case SDATA8:
		n = number(r, 8);
		break;
	case UDATA4:
		n = number(r, 4);
		break;
	case SDATA4:
		n = (uintptr_t)(int64_t)(int32_t)number(r, 4);
		break;
	case UDATA2:
		n = number(r, 2);
		break;
	case SDATA2:
		n = (uintptr_t)(int64_t)(int16_t)number(r, 2);
		break;
	case ULEB:
		n = uleb(r);
		break;
	case SLEB:
		n = (uintptr_t)sleb(r);
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

/* From `at` on, which must lie in the bounds. */
static struct reader
reader(uintptr_t low, uintptr_t high, uintptr_t at)
{
	struct reader r = {NULL, NULL, 0, true};

	if (at >= low && at < high) {
		r.at = (const unsigned char *)at;
		r.end = (const unsigned char *)high;
		r.bad = false;
	}
	return r;
}

/* What begins an index: version, and the encodings of what follows. */
struct index {
	unsigned char version, entries, counts, table;
};

static bool
read_index(struct reader *r, struct index *i)
{
	i->version = (unsigned char)number(r, 1);
	i->entries = (unsigned char)number(r, 1);
	i->counts = (unsigned char)number(r, 1);
	i->table = (unsigned char)number(r, 1);
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
	struct reader r = {head, head + CFI_INDEX_HEAD,
	    t->index - (uintptr_t)head, false};
	struct index i;

	if (!read_index(&r, &i))
		return false;
	t->entries = pointer(&r, i.entries, t->index);
	t->sorted = is_sorted(&i);
	return !r.bad && (i.entries & INDIRECT) == 0;
}

/* Of the sorted table; both are relative to the index. */
struct place {
	int32_t code, entry;
} __attribute__((packed));

static uintptr_t
search(struct reader *r, uintptr_t index, uint64_t count, uintptr_t pc)
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

/* Where the entry for pc is, if one holds it; 0: none. */
static uintptr_t
find_sorted(const struct cfi_tables *t, uintptr_t pc)
{
	struct reader r = reader(t->low, t->high, t->index);
	struct index i;
	uint64_t count;

	if (!read_index(&r, &i) || !is_sorted(&i))
		return 0;
	pointer(&r, i.entries, t->index);
	count = pointer(&r, i.counts, t->index);
	return r.bad ? 0 : search(&r, t->index, count, pc);
}

/* The bytes of a record behind its length, which must lie in the tables. */
static struct reader
record(const struct cfi_tables *t, uintptr_t at)
{
	struct reader r = reader(t->from, t->to, at);
	uint64_t length = number(&r, 4);

	/* 0 ends the section; all ones: of 64 bits, which nobody makes. */
	if (length == 0 || length == UINT32_MAX ||
	    length > (size_t)(r.end - r.at))
		r.bad = true;
	else
		r.end = r.at + length;
	return r;
}

static void
take_augmentation(struct entry *e, struct reader *r, const char *letters)
{
	struct reader own = *r;
	uint64_t length = uleb(r);

	if (r->bad || length > (size_t)(r->end - r->at)) {
		r->bad = true;
		return;
	}
	own.at = r->at;
	own.end = r->at += length;
	for (; *letters != '\0' && !own.bad; letters++) {
		if (*letters == 'R')
			e->encoding = (unsigned char)number(&own, 1);
		else if (*letters == 'P')
			pointer(&own, (unsigned char)number(&own, 1) &
			    (FORM | RELATION), 0);
		else if (*letters == 'L')
			number(&own, 1);
		else if (*letters == 'S')
			e->signal = true;
		else if (*letters != 'B' && *letters != 'G')
			break;		/* data of others behind what we need */
	}
}

static int
read_common(const struct cfi_tables *t, uintptr_t at, struct entry *e)
{
	struct reader r = record(t, at);
	const char *letters;
	uint64_t version;

	if (number(&r, 4) != 0)
		return -EINVAL;
	version = number(&r, 1);
	letters = (const char *)r.at;
	while (!r.bad && number(&r, 1) != 0)
		;
	e->code_unit = uleb(&r);
	e->data_unit = sleb(&r);
	e->ra = version == 1 ? number(&r, 1) : uleb(&r);
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
read_entry(const struct cfi_tables *t, uintptr_t at, struct entry *e)
{
	struct reader r = record(t, at);
	const uintptr_t back_from = (uintptr_t)r.at;
	uint64_t back = number(&r, 4);
	int ret;

	if (r.bad || back == 0)
		return -EINVAL;
	mem_zero(e, sizeof *e);
	ret = read_common(t, back_from - back, e);
	if (ret != 0)
		return ret;
	e->begin = pointer(&r, e->encoding & (FORM | RELATION), t->index);
	e->end = e->begin + pointer(&r, e->encoding & FORM, t->index);
	if (e->augmented) {
		uint64_t length = uleb(&r);

		if (length > (size_t)(r.end - r.at))
			return -EINVAL;
		r.at += length;
	}
	e->code = r;
	return r.bad || (e->encoding & INDIRECT) != 0 ? -EINVAL : 0;
}

/* A linker that makes no index leaves them in the order of its inputs. */
static int
find_unsorted(const struct cfi_tables *t, uintptr_t pc, struct entry *e)
{
	uintptr_t at = t->entries;
	struct reader r = record(t, at);

	while (!r.bad) {
		if ((uintptr_t)r.end - t->entries > CFI_UNSORTED)
			return -E2BIG;
		at = (uintptr_t)r.at - 4;
		/* 0 stands in place of the way back to a CIE: it is one. */
		if (number(&r, 4) != 0 && read_entry(t, at, e) == 0 &&
		    pc >= e->begin && pc < e->end)
			return 0;
		r = record(t, (uintptr_t)r.end);
	}
	return -ENOENT;
}

static int
find_entry(const struct cfi_tables *t, uintptr_t pc, struct entry *e)
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

/* The column's rule in the row, or NULL: not one of ours. */
static struct cfi_rule *
column(const struct machine *m, struct cfi_row *row, uint64_t wanted)
{
	if (wanted == FRAME_FP)
		return &row->fp;
	if (wanted == FRAME_BASE)
		return &row->base;
	return wanted == m->entry->ra ? &row->ra : NULL;
}

static void
set(struct machine *m, uint64_t wanted, enum cfi_how how, int64_t offset)
{
	struct cfi_rule *rule = column(m, &m->row, wanted);

	if (rule != NULL)
		*rule = (struct cfi_rule){.how = (uint8_t)how,
		    .offset = offset};
}

static void
restore(struct machine *m, uint64_t wanted)
{
	struct cfi_rule *rule = column(m, &m->row, wanted);

	if (rule != NULL)
		*rule = *column(m, &m->initial, wanted);
}

/* No column that a walk knows is so large. */
static uint8_t
small(uint64_t column_of)
{
	return column_of < UINT8_MAX ? (uint8_t)column_of : UINT8_MAX;
}

static void
set_register(struct machine *m, uint64_t wanted, uint64_t reg)
{
	struct cfi_rule *rule = column(m, &m->row, wanted);

	if (rule != NULL)
		*rule = (struct cfi_rule){.how = CFI_REGISTER,
		    .reg = small(reg)};
}

static void
set_frame(struct machine *m, uint64_t reg, int64_t offset)
{
	m->row.frame = (struct cfi_rule){.how = CFI_REGISTER,
	    .reg = small(reg), .offset = offset};
}

static void
set_expression(struct reader *r, struct cfi_rule *rule, enum cfi_how how)
{
	uint64_t bytes = uleb(r);

	if (bytes > (size_t)(r->end - r->at) || bytes > UINT16_MAX) {
		r->bad = true;
		return;
	}
	if (rule != NULL)
		*rule = (struct cfi_rule){.how = (uint8_t)how,
		    .expression = r->at, .bytes = (uint16_t)bytes};
	r->at += bytes;
}

static void
advance(struct machine *m, uint64_t by)
{
	m->at += by * m->entry->code_unit;
}

static void
keep(struct machine *m, struct reader *r)
{
	if (m->depth == STATES)
		r->bad = true;
	else
		m->kept[m->depth++] = m->row;
}

static void
give_back(struct machine *m, struct reader *r)
{
	if (m->depth == 0)
		r->bad = true;
	else
		m->row = m->kept[--m->depth];
}

/* DW_CFA_*, those without a register in their first byte. */
static void
step_long(struct machine *m, struct reader *r, unsigned op)
{
	const int64_t unit = m->entry->data_unit;
	uint64_t n;

	switch (op) {
	case 0x00:		/* nop */
		break;
	case 0x01:		/* set_loc */
		m->at = pointer(r, m->entry->encoding & (FORM | RELATION), 0);
		break;
	case 0x02:		/* advance_loc1, 2, 4 */
		advance(m, number(r, 1));
		break;
	case 0x03:
		advance(m, number(r, 2));
		break;
	case 0x04:
		advance(m, number(r, 4));
		break;
	case 0x05:		/* offset_extended */
		n = uleb(r);
		set(m, n, CFI_AT, (int64_t)uleb(r) * unit);
		break;
	case 0x06:		/* restore_extended */
		restore(m, uleb(r));
		break;
	case 0x07:		/* undefined */
		set(m, uleb(r), CFI_UNDEFINED, 0);
		break;
	case 0x08:		/* same_value */
		set(m, uleb(r), CFI_SAME, 0);
		break;
	case 0x09:		/* register */
		n = uleb(r);
		set_register(m, n, uleb(r));
		break;
	case 0x0a:		/* remember_state */
		keep(m, r);
		break;
	case 0x0b:		/* restore_state */
		give_back(m, r);
		break;
	case 0x0c:		/* def_cfa */
		n = uleb(r);
		set_frame(m, n, (int64_t)uleb(r));
		break;
	case 0x0d:		/* def_cfa_register */
		set_frame(m, uleb(r), m->row.frame.offset);
		break;
	case 0x0e:		/* def_cfa_offset */
		set_frame(m, m->row.frame.reg, (int64_t)uleb(r));
		break;
	case 0x0f:		/* def_cfa_expression */
		set_expression(r, &m->row.frame, CFI_IS_EXPRESSION);
		break;
	case 0x10:		/* expression */
		n = uleb(r);
		set_expression(r, column(m, &m->row, n), CFI_AT_EXPRESSION);
		break;
	case 0x11:		/* offset_extended_sf */
		n = uleb(r);
		set(m, n, CFI_AT, sleb(r) * unit);
		break;
	case 0x12:		/* def_cfa_sf */
		n = uleb(r);
		set_frame(m, n, sleb(r) * unit);
		break;
	case 0x13:		/* def_cfa_offset_sf */
		set_frame(m, m->row.frame.reg, sleb(r) * unit);
		break;
	case 0x14:		/* val_offset */
		n = uleb(r);
		set(m, n, CFI_IS, (int64_t)uleb(r) * unit);
		break;
	case 0x15:		/* val_offset_sf */
		n = uleb(r);
		set(m, n, CFI_IS, sleb(r) * unit);
		break;
	case 0x16:		/* val_expression */
		n = uleb(r);
		set_expression(r, column(m, &m->row, n), CFI_IS_EXPRESSION);
		break;
	case 0x2d:		/* AARCH64_negate_ra_state: taken off anyway */
		break;
	case 0x2e:		/* GNU_args_size */
		uleb(r);
		break;
	case 0x2f:		/* GNU_negative_offset_extended */
		n = uleb(r);
		set(m, n, CFI_AT, -(int64_t)uleb(r) * unit);
		break;
	default:
		r->bad = true;
	}
}

static int
run(struct machine *m, struct reader r)
{
	while (r.at < r.end && !r.bad && m->at <= m->pc) {
		const unsigned byte = *r.at++;
		const unsigned low = byte & 0x3f;

		switch (byte >> 6) {
		case 1:		/* advance_loc */
			advance(m, low);
			break;
		case 2:		/* offset */
			set(m, low, CFI_AT, (int64_t)uleb(&r) *
			    m->entry->data_unit);
			break;
		case 3:		/* restore */
			restore(m, low);
			break;
		default:
			step_long(m, &r, byte);
		}
	}
	return r.bad ? -EINVAL : 0;
}

int
cfi_find(const struct cfi_tables *t, uintptr_t pc, struct cfi_row *row)
{
	struct machine m;
	struct entry e;
	int ret = find_entry(t, pc, &e);

	if (ret != 0)
		return ret;
	mem_zero(&m.row, sizeof m.row);
	m.entry = &e;
	m.depth = 0;
	m.at = m.pc = pc;
	m.initial = m.row;
	ret = run(&m, e.first);
	m.initial = m.row;
	m.at = e.begin;
	if (ret == 0)
		ret = run(&m, e.code);
	*row = m.row;
	row->signal = e.signal;
	return ret;
}

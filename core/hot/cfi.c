/*
 * Context: S.  The instructions of unwind tables: DWARF 5, 6.4.
 *
 * Columns of registers that a walk does not follow are skipped.
 */
#include "cfientry.h"

#include "frame.h"
#include "str.h"

#include <errno.h>

#define STATES		4	/* remembered at once; compilers use one */

struct machine {
	const struct cfientry *entry;
	struct cfi_row row, initial;
	struct cfi_row kept[STATES];
	unsigned depth;
	uintptr_t at, pc;
};

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
set_expression(struct cfientry_reader *r, struct cfi_rule *rule,
    enum cfi_how how)
{
	uint64_t bytes = cfientry_uleb(r);

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
keep(struct machine *m, struct cfientry_reader *r)
{
	if (m->depth == STATES)
		r->bad = true;
	else
		m->kept[m->depth++] = m->row;
}

static void
give_back(struct machine *m, struct cfientry_reader *r)
{
	if (m->depth == 0)
		r->bad = true;
	else
		m->row = m->kept[--m->depth];
}

/* DW_CFA_*, those without a register in their first byte. */
static void
step_long(struct machine *m, struct cfientry_reader *r, unsigned op)
{
	const int64_t unit = m->entry->data_unit;
	uint64_t n;

	switch (op) {
	case 0x00:		/* nop */
		break;
	case 0x01:		/* set_loc */
		m->at = cfientry_pointer(r, m->entry->encoding &
		    CFIENTRY_ENCODING, 0);
		break;
	case 0x02:		/* advance_loc1, 2, 4 */
		advance(m, cfientry_number(r, 1));
		break;
	case 0x03:
		advance(m, cfientry_number(r, 2));
		break;
	case 0x04:
		advance(m, cfientry_number(r, 4));
		break;
	case 0x05:		/* offset_extended */
		n = cfientry_uleb(r);
		set(m, n, CFI_AT, (int64_t)cfientry_uleb(r) * unit);
		break;
	case 0x06:		/* restore_extended */
		restore(m, cfientry_uleb(r));
		break;
	case 0x07:		/* undefined */
		set(m, cfientry_uleb(r), CFI_UNDEFINED, 0);
		break;
	case 0x08:		/* same_value */
		set(m, cfientry_uleb(r), CFI_SAME, 0);
		break;
	case 0x09:		/* register */
		n = cfientry_uleb(r);
		set_register(m, n, cfientry_uleb(r));
		break;
	case 0x0a:		/* remember_state */
		keep(m, r);
		break;
	case 0x0b:		/* restore_state */
		give_back(m, r);
		break;
	case 0x0c:		/* def_cfa */
		n = cfientry_uleb(r);
		set_frame(m, n, (int64_t)cfientry_uleb(r));
		break;
	case 0x0d:		/* def_cfa_register */
		set_frame(m, cfientry_uleb(r), m->row.frame.offset);
		break;
	case 0x0e:		/* def_cfa_offset */
		set_frame(m, m->row.frame.reg, (int64_t)cfientry_uleb(r));
		break;
	case 0x0f:		/* def_cfa_expression */
		set_expression(r, &m->row.frame, CFI_IS_EXPRESSION);
		break;
	case 0x10:		/* expression */
		n = cfientry_uleb(r);
		set_expression(r, column(m, &m->row, n), CFI_AT_EXPRESSION);
		break;
	case 0x11:		/* offset_extended_sf */
		n = cfientry_uleb(r);
		set(m, n, CFI_AT, cfientry_sleb(r) * unit);
		break;
	case 0x12:		/* def_cfa_sf */
		n = cfientry_uleb(r);
		set_frame(m, n, cfientry_sleb(r) * unit);
		break;
	case 0x13:		/* def_cfa_offset_sf */
		set_frame(m, m->row.frame.reg, cfientry_sleb(r) * unit);
		break;
	case 0x14:		/* val_offset */
		n = cfientry_uleb(r);
		set(m, n, CFI_IS, (int64_t)cfientry_uleb(r) * unit);
		break;
	case 0x15:		/* val_offset_sf */
		n = cfientry_uleb(r);
		set(m, n, CFI_IS, cfientry_sleb(r) * unit);
		break;
	case 0x16:		/* val_expression */
		n = cfientry_uleb(r);
		set_expression(r, column(m, &m->row, n), CFI_IS_EXPRESSION);
		break;
	case 0x2d:		/* AARCH64_negate_ra_state: taken off anyway */
		break;
	case 0x2e:		/* GNU_args_size */
		cfientry_uleb(r);
		break;
	case 0x2f:		/* GNU_negative_offset_extended */
		n = cfientry_uleb(r);
		set(m, n, CFI_AT, -(int64_t)cfientry_uleb(r) * unit);
		break;
	default:
		r->bad = true;
	}
}

static int
run(struct machine *m, struct cfientry_reader r)
{
	while (r.at < r.end && !r.bad && m->at <= m->pc) {
		const unsigned byte = *r.at++;
		const unsigned low = byte & 0x3f;

		switch (byte >> 6) {
		case 1:		/* advance_loc */
			advance(m, low);
			break;
		case 2:		/* offset */
			set(m, low, CFI_AT, (int64_t)cfientry_uleb(&r) *
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
	struct cfientry e;
	int ret = cfientry_find(t, pc, &e);

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

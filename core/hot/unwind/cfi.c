/*
 * Context: S.  Executes the instructions of unwind tables, for unwind_step.c,
 * in a walk: DWARF 5, 6.4.
 *
 * Registers that a walk does not follow are skipped.
 */
#include "unwind/cfi_entry.h"

#include "base/str.h"
#include "frame.h"

#include <errno.h>

#define STATES		4	/* nested states at once; compilers use one */

/* The state of an execution.  `initial` is the row after the CIE. */
struct machine {
	const struct cfi_entry *entry;
	struct cfi_row row, initial;
	struct cfi_row kept[STATES];
	unsigned depth;
	uintptr_t at, pc;
};

/*
 * Returns the column's rule in the row, or NULL if a walk does not follow that
 * register.
 */
static struct cfi_rule *
find_cfi_column(const struct machine *m, struct cfi_row *row, uint64_t wanted)
{
	if (wanted == FRAME_FP)
		return &row->fp;
	if (wanted == FRAME_BASE_REGISTER)
		return &row->base;
	return wanted == m->entry->ra ? &row->ra : NULL;
}

static void
set_cfi_column(struct machine *m, uint64_t wanted, enum cfi_rule_kind how,
    int64_t offset)
{
	struct cfi_rule *rule = find_cfi_column(m, &m->row, wanted);

	if (rule != NULL)
		*rule = (struct cfi_rule){.how = (uint8_t)how,
		    .offset = offset};
}

static void
restore_cfi_column(struct machine *m, uint64_t wanted)
{
	struct cfi_rule *rule = find_cfi_column(m, &m->row, wanted);

	if (rule != NULL)
		*rule = *find_cfi_column(m, &m->initial, wanted);
}

/* Limits a column to 8 bits: no column that a walk knows is so large. */
static uint8_t
clamp_register_number(uint64_t column_of)
{
	return column_of < UINT8_MAX ? (uint8_t)column_of : UINT8_MAX;
}

static void
set_register_rule(struct machine *m, uint64_t wanted, uint64_t reg)
{
	struct cfi_rule *rule = find_cfi_column(m, &m->row, wanted);

	if (rule != NULL)
		*rule = (struct cfi_rule){.how = CFI_REGISTER,
		    .reg = clamp_register_number(reg)};
}

static void
set_cfa_rule(struct machine *m, uint64_t reg, int64_t offset)
{
	m->row.frame = (struct cfi_rule){.how = CFI_REGISTER,
	    .reg = clamp_register_number(reg), .offset = offset};
}

/* Reads an expression, and makes it the rule, unless rule is NULL. */
static void
read_expression_rule(struct cfi_entry_reader *r, struct cfi_rule *rule,
    enum cfi_rule_kind how)
{
	uint64_t bytes = cfi_entry_uleb(r);

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
advance_location(struct machine *m, uint64_t by)
{
	m->at += by * m->entry->code_unit;
}

static void
remember_cfi_state(struct machine *m, struct cfi_entry_reader *r)
{
	if (m->depth == STATES)
		r->bad = true;
	else
		m->kept[m->depth++] = m->row;
}

static void
restore_cfi_state(struct machine *m, struct cfi_entry_reader *r)
{
	if (m->depth == 0)
		r->bad = true;
	else
		m->row = m->kept[--m->depth];
}

/* Executes an instruction that moves the address; returns false for others. */
static bool
execute_advance(struct machine *m, struct cfi_entry_reader *r, unsigned op)
{
	switch (op) {
	case 0x00:		/* nop */
		return true;
	case 0x01:		/* set_loc */
		m->at = cfi_entry_pointer(r, m->entry->encoding &
		    CFI_ENTRY_ENCODING, 0);
		return true;
	case 0x02:		/* advance_loc1, 2, 4 */
	case 0x03:
	case 0x04:
		advance_location(m, cfi_entry_number(r, 1u << (op - 2)));
		return true;
	}
	return false;
}

/*
 * Executes an instruction that says where the frame is (its CFA); returns false
 * for others.
 */
static bool
execute_cfa(struct machine *m, struct cfi_entry_reader *r, unsigned op)
{
	const int64_t unit = m->entry->data_unit;
	uint64_t n;

	switch (op) {
	case 0x0c:		/* def_cfa */
		n = cfi_entry_uleb(r);
		set_cfa_rule(m, n, (int64_t)cfi_entry_uleb(r));
		return true;
	case 0x0d:		/* def_cfa_register */
		set_cfa_rule(m, cfi_entry_uleb(r), m->row.frame.offset);
		return true;
	case 0x0e:		/* def_cfa_offset */
		set_cfa_rule(m, m->row.frame.reg, (int64_t)cfi_entry_uleb(r));
		return true;
	case 0x0f:		/* def_cfa_expression */
		read_expression_rule(r, &m->row.frame, CFI_VAL_EXPRESSION);
		return true;
	case 0x12:		/* def_cfa_sf */
		n = cfi_entry_uleb(r);
		set_cfa_rule(m, n, cfi_entry_sleb(r) * unit);
		return true;
	case 0x13:		/* def_cfa_offset_sf */
		set_cfa_rule(m, m->row.frame.reg, cfi_entry_sleb(r) * unit);
		return true;
	}
	return false;
}

/*
 * Executes an instruction that saves a register at an offset from the frame, or
 * says that its value is such an address; returns false for others.
 */
static bool
execute_offset(struct machine *m, struct cfi_entry_reader *r, unsigned op)
{
	const int64_t unit = m->entry->data_unit;
	uint64_t n;

	switch (op) {
	case 0x05:		/* offset_extended */
		n = cfi_entry_uleb(r);
		set_cfi_column(m, n, CFI_OFFSET,
		    (int64_t)cfi_entry_uleb(r) * unit);
		return true;
	case 0x11:		/* offset_extended_sf */
		n = cfi_entry_uleb(r);
		set_cfi_column(m, n, CFI_OFFSET, cfi_entry_sleb(r) * unit);
		return true;
	case 0x14:		/* val_offset */
		n = cfi_entry_uleb(r);
		set_cfi_column(m, n, CFI_VAL_OFFSET,
		    (int64_t)cfi_entry_uleb(r) * unit);
		return true;
	case 0x15:		/* val_offset_sf */
		n = cfi_entry_uleb(r);
		set_cfi_column(m, n, CFI_VAL_OFFSET, cfi_entry_sleb(r) * unit);
		return true;
	case 0x2f:		/* GNU_negative_offset_extended */
		n = cfi_entry_uleb(r);
		set_cfi_column(m, n, CFI_OFFSET,
		    -(int64_t)cfi_entry_uleb(r) * unit);
		return true;
	}
	return false;
}

/* Executes any other instruction on one register; returns false for others. */
static bool
execute_register(struct machine *m, struct cfi_entry_reader *r, unsigned op)
{
	uint64_t n;

	switch (op) {
	case 0x06:		/* restore_extended */
		restore_cfi_column(m, cfi_entry_uleb(r));
		return true;
	case 0x07:		/* undefined */
		set_cfi_column(m, cfi_entry_uleb(r), CFI_UNDEFINED, 0);
		return true;
	case 0x08:		/* same_value */
		set_cfi_column(m, cfi_entry_uleb(r), CFI_SAME_VALUE, 0);
		return true;
	case 0x09:		/* register */
		n = cfi_entry_uleb(r);
		set_register_rule(m, n, cfi_entry_uleb(r));
		return true;
	case 0x10:		/* expression */
		n = cfi_entry_uleb(r);
		read_expression_rule(r, find_cfi_column(m, &m->row, n),
		    CFI_EXPRESSION);
		return true;
	case 0x16:		/* val_expression */
		n = cfi_entry_uleb(r);
		read_expression_rule(r, find_cfi_column(m, &m->row, n),
		    CFI_VAL_EXPRESSION);
		return true;
	}
	return false;
}

/*
 * Executes an instruction on the row as a whole, or one that means nothing to a
 * walk; returns false for others.
 */
static bool
execute_row(struct machine *m, struct cfi_entry_reader *r, unsigned op)
{
	switch (op) {
	case 0x0a:		/* remember_state */
		remember_cfi_state(m, r);
		return true;
	case 0x0b:		/* restore_state */
		restore_cfi_state(m, r);
		return true;
	/* AARCH64_negate_ra_state: a signature is stripped anyway */
	case 0x2d:
		return true;
	case 0x2e:		/* GNU_args_size */
		cfi_entry_uleb(r);
		return true;
	}
	return false;
}

/* Executes a DW_CFA_* instruction without an operand in its first byte. */
static void
execute_extended(struct machine *m, struct cfi_entry_reader *r, unsigned op)
{
	if (!execute_advance(m, r, op) && !execute_cfa(m, r, op) &&
	    !execute_offset(m, r, op) && !execute_register(m, r, op) &&
	    !execute_row(m, r, op))
		r->bad = true;
}

/*
 * Executes the instructions of r up to those for addresses above m->pc.
 * Returns 0 or -EINVAL.
 */
static int
execute_cfi_program(struct machine *m, struct cfi_entry_reader r)
{
	while (r.at < r.end && !r.bad && m->at <= m->pc) {
		const unsigned byte = *r.at++;
		const unsigned low = byte & 0x3f;

		switch (byte >> 6) {
		case 1:		/* advance_loc */
			advance_location(m, low);
			break;
		case 2:		/* offset */
			set_cfi_column(m, low, CFI_OFFSET,
			    (int64_t)cfi_entry_uleb(&r) * m->entry->data_unit);
			break;
		case 3:		/* restore */
			restore_cfi_column(m, low);
			break;
		default:
			execute_extended(m, &r, byte);
		}
	}
	return r.bad ? -EINVAL : 0;
}

int
cfi_find(const struct cfi_tables *t, uintptr_t pc, struct cfi_row *row)
{
	struct machine m;
	struct cfi_entry e;
	int ret = cfi_entry_find(t, pc, &e);

	if (ret != 0)
		return ret;
	mem_zero(&m.row, sizeof(m.row));
	m.entry = &e;
	m.depth = 0;
	m.at = m.pc = pc;
	m.initial = m.row;
	ret = execute_cfi_program(&m, e.cie_code);
	m.initial = m.row;
	m.at = e.begin;
	if (ret == 0)
		ret = execute_cfi_program(&m, e.fde_code);
	*row = m.row;
	row->signal = e.signal;
	return ret;
}

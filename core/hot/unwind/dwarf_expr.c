/*
 * Context: S.  Evaluates expressions of unwind tables, for unwind_step.c, in a
 * walk: those operations of DWARF 5, 2.5, that the tables use.
 */
#include "unwind/dwarf_expr.h"

#include "frame.h"
#include "unwind/leb128.h"

#define STACK	16

/* The state of an evaluation. */
struct evaluation {
	const struct unwind_registers *registers;
	struct stack_read *memory;
	const unsigned char *at, *end;
	uintptr_t stack[STACK];
	unsigned depth;
	bool bad;
};

bool
unwind_registers_get(const struct unwind_registers *r, uint64_t column,
    uintptr_t *value)
{
	if (r->all != NULL)
		return frame_register(r->all, column, value);
	if (column == FRAME_SP)
		*value = r->sp;
	else if (column == FRAME_FP && r->framed)
		*value = r->fp;
	else if (column == FRAME_BASE_REGISTER && r->based)
		*value = r->base;
	else if (column == FRAME_RA && !FRAME_HAS_LINK_REGISTER)
		*value = r->pc;
	else
		return false;
	return true;
}

static void
push_dwarf_value(struct evaluation *e, uintptr_t value)
{
	if (e->depth == STACK)
		e->bad = true;
	else
		e->stack[e->depth++] = value;
}

static uintptr_t
pop_dwarf_value(struct evaluation *e)
{
	if (e->depth == 0) {
		e->bad = true;
		return 0;
	}
	return e->stack[--e->depth];
}

static void
push_breg(struct evaluation *e, uint64_t column)
{
	uintptr_t value = 0;

	if (!unwind_registers_get(e->registers, column, &value))
		e->bad = true;
	push_dwarf_value(e, value + (uintptr_t)leb128_read_signed(&e->at,
	    e->end));
}

static void
push_const(struct evaluation *e, unsigned bytes, bool is_signed)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < bytes && e->at < e->end; i++)
		n |= (uint64_t)*e->at++ << (8 * i);
	if (is_signed && bytes < 8 && (n >> (8 * bytes - 1) & 1) != 0)
		n |= ~(uint64_t)0 << (8 * bytes);
	push_dwarf_value(e, n);
}

static void
load_dwarf_word(struct evaluation *e)
{
	uintptr_t value = 0;

	if (!stack_read_load(e->memory, pop_dwarf_value(e), &value))
		e->bad = true;
	push_dwarf_value(e, value);
}

static void
pick_dwarf_value(struct evaluation *e, unsigned below)
{
	if (below >= e->depth)
		e->bad = true;
	else
		push_dwarf_value(e, e->stack[e->depth - 1 - below]);
}

static void
swap_dwarf_values(struct evaluation *e)
{
	const uintptr_t top = pop_dwarf_value(e), next = pop_dwarf_value(e);

	push_dwarf_value(e, top);
	push_dwarf_value(e, next);
}

/* Executes an operation on the two topmost values; all others are unknown. */
static void
execute_binary_op(struct evaluation *e, unsigned op)
{
	const uintptr_t b = pop_dwarf_value(e), a = pop_dwarf_value(e);
	const intptr_t left = (intptr_t)a, right = (intptr_t)b;

	switch (op) {
	case 0x1a:
		push_dwarf_value(e, a & b);
		break;
	case 0x1c:
		push_dwarf_value(e, a - b);
		break;
	case 0x1e:
		push_dwarf_value(e, a * b);
		break;
	case 0x21:
		push_dwarf_value(e, a | b);
		break;
	case 0x22:
		push_dwarf_value(e, a + b);
		break;
	case 0x24:
		push_dwarf_value(e, b < 64 ? a << b : 0);
		break;
	case 0x25:
		push_dwarf_value(e, b < 64 ? a >> b : 0);
		break;
	case 0x27:
		push_dwarf_value(e, a ^ b);
		break;
	case 0x29:
		push_dwarf_value(e, left == right);
		break;
	case 0x2a:
		push_dwarf_value(e, left >= right);
		break;
	case 0x2b:
		push_dwarf_value(e, left > right);
		break;
	case 0x2c:
		push_dwarf_value(e, left <= right);
		break;
	case 0x2d:
		push_dwarf_value(e, left < right);
		break;
	case 0x2e:
		push_dwarf_value(e, left != right);
		break;
	default:
		e->bad = true;
	}
}

/* Executes one operation (DW_OP_*). */
static void
execute_dwarf_op(struct evaluation *e)
{
	const unsigned op = *e->at++;

	if (op >= 0x30 && op <= 0x4f) {			/* lit0 to lit31 */
		push_dwarf_value(e, op - 0x30);
	} else if (op >= 0x70 && op <= 0x8f) {		/* breg0 to breg31 */
		push_breg(e, op - 0x70);
	} else if (op >= 0x08 && op <= 0x0f) {		/* const1u to const8s */
		push_const(e, 1u << (op - 0x08) / 2, (op & 1) != 0);
	} else switch (op) {
	case 0x06:
		load_dwarf_word(e);
		break;
	case 0x10:
		push_dwarf_value(e, leb128_read_unsigned(&e->at, e->end));
		break;
	case 0x11:
		push_dwarf_value(e, (uintptr_t)leb128_read_signed(&e->at,
		    e->end));
		break;
	case 0x12:
		pick_dwarf_value(e, 0);
		break;
	case 0x13:
		pop_dwarf_value(e);
		break;
	case 0x14:
		pick_dwarf_value(e, 1);
		break;
	case 0x16:
		swap_dwarf_values(e);
		break;
	case 0x23:
		push_dwarf_value(e, pop_dwarf_value(e) +
		    leb128_read_unsigned(&e->at, e->end));
		break;
	case 0x96:
		break;
	default:
		execute_binary_op(e, op);
	}
}

bool
dwarf_expr_evaluate(const struct cfi_rule *rule,
    const struct unwind_registers *r, struct stack_read *m, uintptr_t frame,
    uintptr_t *value)
{
	struct evaluation e;

	e.registers = r;
	e.memory = m;
	e.at = rule->expression;
	e.end = e.at + rule->bytes;
	e.depth = 0;
	e.bad = false;
	if (frame != 0)
		push_dwarf_value(&e, frame);
	/* No operation jumps back: each byte is read once. */
	while (e.at < e.end && !e.bad)
		execute_dwarf_op(&e);
	*value = pop_dwarf_value(&e);
	return !e.bad;
}

/* Context: S.  Expressions of unwind tables: DWARF 5, 2.5, what those use. */
#include "expression.h"

#include "frame.h"

#define STACK	16

struct evaluation {
	const struct registers *registers;
	struct memory *memory;
	const unsigned char *at, *end;
	uintptr_t stack[STACK];
	unsigned depth;
	bool bad;
};

bool
registers_get(const struct registers *r, uint64_t column, uintptr_t *value)
{
	if (r->all != NULL)
		return frame_register(r->all, column, value);
	if (column == FRAME_SP)
		*value = r->sp;
	else if (column == FRAME_FP && r->framed)
		*value = r->fp;
	else if (column == FRAME_BASE && r->based)
		*value = r->base;
	else if (column == FRAME_RA && !FRAME_LINKS)
		*value = r->pc;
	else
		return false;
	return true;
}

static void
push(struct evaluation *e, uintptr_t value)
{
	if (e->depth == STACK)
		e->bad = true;
	else
		e->stack[e->depth++] = value;
}

static uintptr_t
pop(struct evaluation *e)
{
	if (e->depth == 0) {
		e->bad = true;
		return 0;
	}
	return e->stack[--e->depth];
}

static void
push_register(struct evaluation *e, uint64_t column)
{
	uintptr_t value = 0;

	if (!registers_get(e->registers, column, &value))
		e->bad = true;
	push(e, value + (uintptr_t)cfi_sleb(&e->at, e->end));
}

static void
push_constant(struct evaluation *e, unsigned bytes, bool is_signed)
{
	uint64_t n = 0;
	unsigned i;

	for (i = 0; i < bytes && e->at < e->end; i++)
		n |= (uint64_t)*e->at++ << (8 * i);
	if (is_signed && bytes < 8 && (n >> (8 * bytes - 1) & 1) != 0)
		n |= ~(uint64_t)0 << (8 * bytes);
	push(e, n);
}

static void
load(struct evaluation *e)
{
	uintptr_t value = 0;

	if (!memory_load(e->memory, pop(e), &value))
		e->bad = true;
	push(e, value);
}

static void
copy(struct evaluation *e, unsigned below)
{
	if (below >= e->depth)
		e->bad = true;
	else
		push(e, e->stack[e->depth - 1 - below]);
}

static void
swap(struct evaluation *e)
{
	const uintptr_t top = pop(e), next = pop(e);

	push(e, top);
	push(e, next);
}

static void
calculate(struct evaluation *e, unsigned op)
{
	const uintptr_t b = pop(e), a = pop(e);
	const intptr_t left = (intptr_t)a, right = (intptr_t)b;

	switch (op) {
	case 0x1a:
		push(e, a & b);
		break;
	case 0x1c:
		push(e, a - b);
		break;
	case 0x1e:
		push(e, a * b);
		break;
	case 0x21:
		push(e, a | b);
		break;
	case 0x22:
		push(e, a + b);
		break;
	case 0x24:
		push(e, b < 64 ? a << b : 0);
		break;
	case 0x25:
		push(e, b < 64 ? a >> b : 0);
		break;
	case 0x27:
		push(e, a ^ b);
		break;
	case 0x29:
		push(e, left == right);
		break;
	case 0x2a:
		push(e, left >= right);
		break;
	case 0x2b:
		push(e, left > right);
		break;
	case 0x2c:
		push(e, left <= right);
		break;
	case 0x2d:
		push(e, left < right);
		break;
	case 0x2e:
		push(e, left != right);
		break;
	default:
		e->bad = true;
	}
}

/* DW_OP_* */
static void
step(struct evaluation *e)
{
	const unsigned op = *e->at++;

	if (op >= 0x30 && op <= 0x4f) {			/* lit0 ... */
		push(e, op - 0x30);
	} else if (op >= 0x70 && op <= 0x8f) {		/* breg0 ... */
		push_register(e, op - 0x70);
	} else if (op >= 0x08 && op <= 0x0f) {		/* const1u, s ... */
		push_constant(e, 1u << (op - 0x08) / 2, (op & 1) != 0);
	} else switch (op) {
	case 0x06:
		load(e);
		break;
	case 0x10:
		push(e, cfi_uleb(&e->at, e->end));
		break;
	case 0x11:
		push(e, (uintptr_t)cfi_sleb(&e->at, e->end));
		break;
	case 0x12:
		copy(e, 0);
		break;
	case 0x13:
		pop(e);
		break;
	case 0x14:
		copy(e, 1);
		break;
	case 0x16:
		swap(e);
		break;
	case 0x23:
		push(e, pop(e) + cfi_uleb(&e->at, e->end));
		break;
	case 0x96:
		break;
	default:
		calculate(e, op);
	}
}

bool
expression_value(const struct cfi_rule *rule, const struct registers *r,
    struct memory *m, uintptr_t frame, uintptr_t *value)
{
	struct evaluation e;

	e.registers = r;
	e.memory = m;
	e.at = rule->expression;
	e.end = e.at + rule->bytes;
	e.depth = 0;
	e.bad = false;
	if (frame != 0)
		push(&e, frame);
	/* None of them goes back: each byte is looked at once. */
	while (e.at < e.end && !e.bad)
		step(&e);
	*value = pop(&e);
	return !e.bad;
}

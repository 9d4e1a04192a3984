/*
 * Context: P.  Chooses the way that an entry is led to a stub; see
 * entry_place.h.
 */
#include "entry_place.h"
#include "entry_depth.h"
#include "entry_flags.h"
#include "instruction.h"

#define PADDING_INT3	0xcc

/* An entry that is looked at. */
struct entry {
	const struct jump_targets *targets;
	const uint8_t *code;	/* the first byte */
	uint64_t address;	/* of it */
	size_t bytes;		/* of the function */
	size_t behind;		/* bytes of padding that follow it */
	size_t before;		/* bytes of padding before it */
};

/* Returns whether padding may be at the address: no function has it. */
static bool
is_free(const struct jump_targets *t, uint64_t address)
{
	return !jump_targets_is_text(t, address);
}

/*
 * Returns the length of the padding instruction at `code`: a nop of any length,
 * or an int3; 0 if it is none.  Zeros may be constants: one function of 75,693
 * has room by zeros alone.
 */
static size_t
padding_bytes(const uint8_t *code, size_t room)
{
	struct instruction in;

	if (room == 0)
		return 0;
	if (*code == PADDING_INT3)
		return 1;
	if (!instruction_decode(code, room, &in) ||
	    in.kind != INSTRUCTION_PLAIN)
		return 0;
	/* 90, and 0f 1f with its operand */
	return code[in.opcode_at] == 0x90 || (code[in.opcode_at] == 0x0f &&
	    code[in.opcode_at + 1u] == 0x1f) ? in.bytes : 0;
}

/* Returns how many bytes of padding follow `at`, up to a jump's length. */
static size_t
padding_behind(const struct jump_targets *t, const uint8_t *code, size_t room,
    uint64_t at)
{
	size_t found = 0, n = 1;

	while (found < ENTRY_JUMP_BYTES && n != 0) {
		n = padding_bytes(code + found, room - found);
		for (size_t i = 0; i < n; i++)
			if (!is_free(t, at + found + i))
				n = 0;
		found += n;
	}
	return found;
}

/*
 * Returns how many bytes of the padding from `from` on the function before it
 * may take for its own jump, if it is shorter than one.
 */
static uint64_t
padding_taken(const struct jump_targets *t, uint64_t from)
{
	struct unwind_function f;

	if (!unwind_functions_find(t->functions, from - 1, &f) || f.part ||
	    f.bytes >= ENTRY_JUMP_BYTES)
		return 0;
	return ENTRY_JUMP_BYTES - f.bytes;
}

/*
 * Returns how many bytes right before `at` are padding that no other entry may
 * take.  Padding is decoded forward from the end of the function before it.
 */
static size_t
padding_before(const struct code_segment *s, const struct jump_targets *t,
    uint64_t at)
{
	uint64_t from = at, taken;
	size_t n;

	while (from > s->address && at - from < 2 * INSTRUCTION_MOST &&
	    is_free(t, from - 1))
		from--;
	for (uint64_t i = from; i < at; i += n) {
		n = padding_bytes(s->file + (i - s->address),
		    (size_t)(at - i));
		if (n == 0)
			return 0;
	}
	taken = padding_taken(t, from);
	return at - from > taken ? (size_t)(at - from - taken) : 0;
}

/* Returns why an instruction cannot be displaced; ENTRY_JUMP: it can. */
static enum entry_way
displaces(const struct entry *e, const struct instruction *in, size_t at)
{
	uint64_t target;

	switch (in->kind) {
	case INSTRUCTION_PLAIN:
	case INSTRUCTION_JUMP_INDIRECT:
	case INSTRUCTION_RETURN:
		return ENTRY_JUMP;
	case INSTRUCTION_BRANCH:
	case INSTRUCTION_JUMP:
		target = instruction_target(in, e->code + at, e->address + at);
		/* a loop of the first instructions */
		return target >= e->address && target - e->address <
		    ENTRY_JUMP_BYTES ? ENTRY_LOOP : ENTRY_JUMP;
	case INSTRUCTION_LOOP:
	case INSTRUCTION_XBEGIN:
		return ENTRY_LOOP;
	case INSTRUCTION_CALL:
	case INSTRUCTION_CALL_INDIRECT:
		return ENTRY_CALL;
	default:
		return ENTRY_SYSTEM;
	}
}

/* Returns whether code does not go on behind an instruction of this kind. */
static bool
ends_code(enum instruction_kind kind)
{
	return kind == INSTRUCTION_RETURN || kind == INSTRUCTION_JUMP ||
	    kind == INSTRUCTION_JUMP_INDIRECT;
}

/*
 * Takes instructions until they have `wanted` bytes, with the padding behind a
 * function that ends before that.  Returns ENTRY_JUMP, or why an instruction
 * stays; p->displaced is then its offset.
 */
static enum entry_way
take_instructions(const struct entry *e, size_t wanted, struct entry_place *p)
{
	struct instruction in = { 0 };

	for (size_t at = 0; at < wanted; at += in.bytes) {
		enum entry_way way;

		p->displaced = (uint8_t)at;
		if (at >= e->bytes)
			return ends_code(in.kind) && at + e->behind >= wanted ?
			    ENTRY_JUMP : ENTRY_NO_ROOM;
		if (!instruction_decode(e->code + at, e->bytes - at, &in))
			return ENTRY_UNKNOWN;
		if (at != 0 && at < ENTRY_JUMP_BYTES)
			p->starts |= (uint8_t)(1u << at);
		way = displaces(e, &in, at);
		if (way != ENTRY_JUMP)
			return way;
		p->displaced = (uint8_t)(at + in.bytes);
	}
	return ENTRY_JUMP;
}

static bool
has_target_inside(const struct entry *e)
{
	for (unsigned i = 1; i < ENTRY_JUMP_BYTES; i++)
		if (jump_targets_has(e->targets, e->address + i))
			return true;
	return false;
}

/*
 * Returns whether the instruction at offset p->displaced is a call of 5 bytes
 * that runs once for each entry, and at which the return address is known: no
 * branch leads around it, and nothing jumps behind the entry up to it.
 */
static bool
is_call_of_entry(const struct entry *e, struct entry_place *p)
{
	const size_t at = p->displaced;
	struct instruction in;

	if (!entry_depth_find(e->code, at, &p->call_depth))
		return false;
	if (!instruction_decode(e->code + at, e->bytes - at, &in) ||
	    in.kind != INSTRUCTION_CALL || in.target_bytes != 4)
		return false;
	for (size_t i = 1; i <= at; i++)
		if (jump_targets_has(e->targets, e->address + i))
			return false;
	p->call_at = (uint8_t)at;
	return true;
}

/*
 * Returns whether two bytes of the entry can hold a jump into the padding.  The
 * second is its distance, which does not trap: no instruction starts there.
 */
static bool
is_short(const struct entry *e, struct entry_place *p)
{
	*p = (struct entry_place) { .way = ENTRY_SHORT };
	return e->before >= ENTRY_JUMP_BYTES &&
	    take_instructions(e, ENTRY_SHORT_BYTES, p) == ENTRY_JUMP &&
	    p->starts == 0 &&
	    !jump_targets_has(e->targets, e->address + 1);
}

static struct entry_place
choose_way(const struct entry *e)
{
	struct entry_place p = { .way = ENTRY_JUMP }, other;
	const enum entry_way whole = take_instructions(e, ENTRY_JUMP_BYTES, &p);

	if (whole == ENTRY_JUMP && !has_target_inside(e))
		return p;
	if (whole == ENTRY_CALL && is_call_of_entry(e, &p)) {
		p.way = ENTRY_CALL;
		return p;
	}
	if (is_short(e, &other))
		return other;
	if (whole == ENTRY_JUMP)
		p.way = ENTRY_TRAPPED;
	else
		p.way = whole == ENTRY_CALL ? ENTRY_BOUND_CALL : whole;
	return p;
}

struct entry_place
entry_place_choose(const struct code_image *image,
    const struct jump_targets *t, const struct unwind_function *f)
{
	const struct code_segment *s = code_image_segment(image, f->start);
	struct entry e = { .targets = t, .address = f->start,
	    .bytes = (size_t)f->bytes };
	struct entry_place p;
	size_t room;

	if (jump_targets_turns(t, f->start))
		return (struct entry_place) { .way = ENTRY_LOOP };
	e.code = code_image_find(image, f->start, &room);
	e.before = padding_before(s, t, f->start);
	e.behind = padding_behind(t, e.code + e.bytes, room - e.bytes,
	    f->start + f->bytes);
	p = choose_way(&e);
	p.flags_live = entry_flags_are_live(image, f->start) ||
	    jump_targets_may_turn(t, f->start);
	return p;
}

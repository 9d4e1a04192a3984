/*
 * Context: P.  Writes displaced instructions for another place; see
 * displaced_code.h.
 */
#include "displaced_code.h"

#include "instruction.h"

#include <string.h>

#define JUMP_OPCODE	0xe9	/* jmp rel32 */
#define ESCAPE		0x0f
#define BRANCH_OPCODE	0x80	/* jcc rel32, behind ESCAPE */
#define CONDITION	0x0f	/* bits of an opcode */

/*
 * Writes the distance from `end`, where an instruction ends, to `target`.
 * Returns whether it fits.
 */
static bool
put_distance(uint8_t *at, uint64_t end, uint64_t target)
{
	const int64_t distance = (int64_t)(target - end);
	const int32_t field = (int32_t)distance;

	memcpy(at, &field, sizeof(field));
	return field == distance;
}

/* Appends `opcode`, of n bytes, and the distance to `target`. */
static bool
append_jump(struct displaced_code *d, uint64_t to, const uint8_t *opcode,
    size_t n, uint64_t target)
{
	uint8_t *at = d->code + d->bytes;

	memcpy(at, opcode, n);
	d->bytes = (uint8_t)(d->bytes + n + 4);
	return put_distance(at + n, to + d->bytes, target);
}

/*
 * Appends a branch or a jump with a distance of 32 bits.  Prefixes go: they are
 * hints, or of MPX.
 */
static bool
append_branch(struct displaced_code *d, uint64_t to,
    const struct instruction *in, const uint8_t *code, uint64_t from)
{
	const uint8_t *opcode = code + in->opcode_at;
	const uint8_t condition = *opcode == ESCAPE ? opcode[1] : *opcode;
	const uint8_t branch[] = {
		ESCAPE, BRANCH_OPCODE | (condition & CONDITION),
	};
	const uint8_t jump[] = { JUMP_OPCODE };
	const uint64_t target = instruction_target(in, code, from);

	return in->kind == INSTRUCTION_BRANCH ?
	    append_jump(d, to, branch, sizeof(branch), target) :
	    append_jump(d, to, jump, sizeof(jump), target);
}

/*
 * Appends an instruction as it is, but for the distance to its operand.  An
 * address of 32 bits cannot be led anew.
 */
static bool
append_copy(struct displaced_code *d, uint64_t to,
    const struct instruction *in, const uint8_t *code, uint64_t from)
{
	uint8_t *at = d->code + d->bytes;

	memcpy(at, code, in->bytes);
	d->bytes = (uint8_t)(d->bytes + in->bytes);
	return in->memory_at == 0 || (!in->address32 &&
	    put_distance(at + in->memory_at, to + d->bytes,
	    instruction_memory(in, code, from)));
}

static bool
append_instruction(struct displaced_code *d, uint64_t to,
    const struct instruction *in, const uint8_t *code, uint64_t from)
{
	switch (in->kind) {
	case INSTRUCTION_PLAIN:
	case INSTRUCTION_JUMP_INDIRECT:
	case INSTRUCTION_RETURN:
		return append_copy(d, to, in, code, from);
	case INSTRUCTION_BRANCH:
	case INSTRUCTION_JUMP:
		return append_branch(d, to, in, code, from);
	default:
		return false;
	}
}

static bool
goes_on(enum instruction_kind kind)
{
	return kind == INSTRUCTION_PLAIN || kind == INSTRUCTION_BRANCH;
}

bool
displaced_code_write(struct displaced_code *d, const uint8_t *code,
    size_t bytes, uint64_t from, uint64_t to)
{
	const uint8_t jump[] = { JUMP_OPCODE };
	struct instruction in = { 0 };

	d->bytes = d->count = 0;
	if (bytes > DISPLACED_MOST)
		return false;
	for (size_t at = 0; at < bytes; at += in.bytes) {
		if (d->count == DISPLACED_INSTRUCTIONS ||
		    !instruction_decode(code + at, bytes - at, &in))
			return false;
		d->from[d->count] = (uint8_t)at;
		d->to[d->count++] = d->bytes;
		if (!append_instruction(d, to, &in, code + at, from + at))
			return false;
	}
	d->from_end = (uint8_t)bytes;
	d->to_end = d->bytes;
	return d->count != 0 && (!goes_on(in.kind) ||
	    append_jump(d, to, jump, sizeof(jump), from + bytes));
}

/*
 * Context: P.  Finds where the return address lies behind the first
 * instructions; see entry_depth.h.
 */
#include "entry_depth.h"

#include "instruction.h"

#define REX_R		0x04
#define REX_B		0x01
#define RSP		4	/* number of the register */
#define PUSH_REGISTER	0x50	/* to 0x57 */
#define LEA		0x8d
#define ARITHMETIC_BYTE	0x83	/* with a signed byte */
#define SUBTRACT_RSP	0xec	/* ModRM of that: sub, %rsp */

/*
 * Returns whether the opcode takes two operands by a ModRM byte, of which none
 * is changed but a register or memory: mov, lea, movslq, xor, add, sub, and,
 * or, test and cmp.
 */
static bool
is_plain_opcode(uint8_t opcode)
{
	switch (opcode) {
	case 0x89: case 0x8b: case LEA: case 0x63: case 0x85:
		return true;
	default:
		/* add to cmp, of 32 or 64 bits, in both directions */
		return opcode < 0x40 && ((opcode & 7) == 1 ||
		    (opcode & 7) == 3);
	}
}

/*
 * Returns whether an instruction of these opcodes may set the stack pointer: it
 * writes the operand that bit 1 of the opcode names; lea writes the register.
 */
static bool
sets_stack_pointer(uint8_t rex, uint8_t opcode, uint8_t modrm)
{
	const unsigned reg = (modrm >> 3 & 7) + ((rex & REX_R) != 0 ? 8 : 0);
	const unsigned rm = (modrm & 7) + ((rex & REX_B) != 0 ? 8 : 0);

	return (opcode & 2) != 0 || opcode == LEA ? reg == RSP :
	    modrm >> 6 == 3 && rm == RSP;
}

/* Adds what the instruction at `code` pushes.  Returns false if not known. */
static bool
add_pushed(const struct instruction *in, const uint8_t *code, unsigned *depth)
{
	const uint8_t *op = code + in->opcode_at;
	const uint8_t rex = in->opcode_at == 1 ? code[0] : 0;

	if (in->opcode_at > 1 || (in->opcode_at == 1 && (rex & 0xf0) != 0x40))
		return false;	/* other prefixes */
	if ((*op & 0xf8) == PUSH_REGISTER) {
		*depth += 8;
		return true;
	}
	if (rex == 0x48 && op[0] == ARITHMETIC_BYTE && op[1] == SUBTRACT_RSP) {
		*depth += op[2];
		return op[2] < 0x80 && op[2] % 8 == 0;
	}
	return is_plain_opcode(*op) && !sets_stack_pointer(rex, *op, op[1]);
}

bool
entry_depth_find(const uint8_t *code, size_t bytes, uint8_t *depth)
{
	struct instruction in;
	unsigned pushed = 0;

	for (size_t at = 0; at < bytes; at += in.bytes)
		if (!instruction_decode(code + at, bytes - at, &in) ||
		    in.kind != INSTRUCTION_PLAIN ||
		    !add_pushed(&in, code + at, &pushed))
			return false;
	*depth = (uint8_t)pushed;
	return pushed <= UINT8_MAX;
}

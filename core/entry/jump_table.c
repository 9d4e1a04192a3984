/* Context: P.  Recognizes jump tables; see jump_table.h. */
#include "jump_table.h"

#define OPCODE_LEA	0x8d
#define OPCODE_MOV	0x8b
#define OPCODE_JUMP	0xff	/* with 4 as the register of the ModRM byte */
#define JUMP_REGISTER	4
#define RM_SIB		4	/* ModRM: an SIB byte follows */
/* SIB: 8 times an index, no base, and a distance of 32 bits */
#define SIB_TABLE	0xc5
#define SIB_INDEX	0x38
#define SIB_NO_INDEX	0x20

/*
 * Returns whether the instruction reads an 8-byte word of a table whose address
 * it has, and sets *table: code that is linked to one place jumps so.
 */
static bool
reads_word(const struct instruction *in, const uint8_t *code, uint64_t *table)
{
	const uint8_t *at = code + in->opcode_at;
	uint32_t address = 0;

	if (in->opcode_at + 7u > in->bytes || (at[1] & 0xc7) != RM_SIB ||
	    (at[2] & ~SIB_INDEX) != (SIB_TABLE & ~SIB_INDEX) ||
	    (at[2] & SIB_INDEX) == SIB_NO_INDEX)
		return false;
	if (at[0] != OPCODE_MOV &&
	    (at[0] != OPCODE_JUMP || (at[1] >> 3 & 7) != JUMP_REGISTER))
		return false;
	for (unsigned i = 0; i < 4; i++)
		address |= (uint32_t)at[3 + i] << 8 * i;
	*table = (uint64_t)(int32_t)address;
	return true;
}

unsigned
jump_table_find(const struct instruction *in, const uint8_t *code,
    uint64_t address, uint64_t *table)
{
	if (in->memory_at == 0)
		return reads_word(in, code, table) ? JUMP_TABLE_WORDS : 0;
	if (code[in->opcode_at] != OPCODE_LEA)
		return 0;
	*table = instruction_memory(in, code, address);
	return JUMP_TABLE_DISTANCES | JUMP_TABLE_WORDS;
}

uint64_t
jump_table_next(struct code_reader *r, uint64_t table, unsigned form)
{
	return form == JUMP_TABLE_WORDS ? code_reader_number(r, 8) :
	    table + (uint64_t)(int32_t)code_reader_number(r, 4);
}

/*
 * Context: P.  Tells which bytes follow each opcode of x86-64, for
 * instruction.c.
 */
#ifndef OPCODE_H
#define OPCODE_H

#include <stdbool.h>
#include <stdint.h>

/* The bytes that follow an opcode, or why it is not known. */
enum opcode_form {
	OPCODE_UNKNOWN = 0,
	OPCODE_ALONE,		/* nothing follows */
	OPCODE_MODRM,		/* ModRM, and what that says */
	/* immediates: 8 bits; 16; 32, or 16 with prefix 66; as an operand */
	OPCODE_IMM8, OPCODE_IMM16, OPCODE_IMM32, OPCODE_IMM_FULL,
	OPCODE_IMM16_IMM8,	/* enter */
	OPCODE_MODRM_IMM8, OPCODE_MODRM_IMM32,
	OPCODE_OFFSET,		/* an address: 64 bits, or 32 with prefix 67 */
	OPCODE_TARGET8, OPCODE_TARGET32,
	OPCODE_PREFIX,		/* an instruction follows */
	/* ModRM selects the instruction: opcode_form_of_group() */
	OPCODE_GROUP,
};

/* The maps of opcodes that instructions come from. */
enum opcode_map {
	OPCODE_MAP_ONE,		/* one byte */
	OPCODE_MAP_0F,
	OPCODE_MAP_0F38,
	OPCODE_MAP_0F3A,
};

/*
 * Returns the form of an opcode in a map, without VEX and EVEX.  In
 * OPCODE_MAP_ONE that of 0f, c4, c5, 62 and 8f is OPCODE_UNKNOWN.
 */
enum opcode_form opcode_form(enum opcode_map map, uint8_t opcode);

/* Returns the form of an opcode behind VEX or EVEX. */
enum opcode_form opcode_form_of_vector(enum opcode_map map, uint8_t opcode);

/*
 * Returns the form of an instruction of a group, OPCODE_UNKNOWN or one with
 * ModRM, by its ModRM byte.
 */
enum opcode_form opcode_form_of_group(enum opcode_map map, uint8_t opcode,
    uint8_t modrm);

#endif

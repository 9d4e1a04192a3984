/*
 * Context: P.  Tells how instructions use the status flags, for instruction.c.
 */
#ifndef FLAG_USE_H
#define FLAG_USE_H

#include "instruction.h"
#include "opcode.h"

/*
 * Returns what an instruction of a map, not behind VEX or EVEX, does with the
 * flags.  modrm: its ModRM byte, 0 if it has none.  prefix: 0x66, 0xf2 or 0xf3,
 * the last of these before it, or 0.  Where it is not sure it returns
 * INSTRUCTION_FLAGS_READ, or INSTRUCTION_FLAGS_KEPT if none is read.
 */
enum instruction_flags flag_use_find(enum opcode_map map, uint8_t opcode,
    uint8_t modrm, uint8_t prefix);

#endif

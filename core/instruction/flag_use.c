/*
 * Context: P.  Tells instructions that read the status flags from those that
 * overwrite all of them; see flag_use.h.
 */
#include "flag_use.h"

/* The operations of 00 to 3f and of groups 80, 81 and 83, by bits 5 to 3. */
static enum instruction_flags
flags_of_arithmetic(unsigned operation)
{
	/* adc and sbb read CF; add, or, and, sub, xor and cmp read nothing. */
	return operation == 2 || operation == 3 ? INSTRUCTION_FLAGS_READ :
	    INSTRUCTION_FLAGS_KILLED;
}

/* Instructions of the one-byte map that ModRM selects. */
static enum instruction_flags
flags_of_group(uint8_t opcode, unsigned reg)
{
	switch (opcode) {
	case 0x80:
	case 0x81:
	case 0x83:
		return flags_of_arithmetic(reg);
	case 0xc0:				/* rcl and rcr read CF */
	case 0xc1:
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3:
		return reg == 2 || reg == 3 ? INSTRUCTION_FLAGS_READ :
		    INSTRUCTION_FLAGS_KEPT;
	case 0xda:				/* fcmov */
	case 0xdb:
		return INSTRUCTION_FLAGS_READ;
	case 0xf6:				/* test, neg */
	case 0xf7:
		return reg <= 1 || reg == 3 ? INSTRUCTION_FLAGS_KILLED :
		    INSTRUCTION_FLAGS_KEPT;
	default:
		return INSTRUCTION_FLAGS_KEPT;
	}
}

static enum instruction_flags
flags_of_one_byte(uint8_t opcode, uint8_t modrm, bool repeated)
{
	if (opcode < 0x40 && (opcode & 7) <= 5)
		return flags_of_arithmetic(opcode >> 3);
	if (opcode >= 0x70 && opcode <= 0x7f)
		return INSTRUCTION_FLAGS_READ;	/* jcc */
	switch (opcode) {
	case 0x84:				/* test */
	case 0x85:
	case 0xa8:
	case 0xa9:
	case 0x9d:				/* popf */
		return INSTRUCTION_FLAGS_KILLED;
	case 0xa6:				/* cmps, scas; ends by ZF */
	case 0xa7:
	case 0xae:
	case 0xaf:
		return repeated ? INSTRUCTION_FLAGS_READ :
		    INSTRUCTION_FLAGS_KILLED;
	case 0x9c:				/* pushf, lahf, cmc */
	case 0x9f:
	case 0xf5:
	case 0xe0:				/* loopne, loope */
	case 0xe1:
	case 0xcc:				/* what the kernel saves */
	case 0xcd:
	case 0xf1:
		return INSTRUCTION_FLAGS_READ;
	default:
		return flags_of_group(opcode, modrm >> 3 & 7);
	}
}

static enum instruction_flags
flags_of_0f(uint8_t opcode, uint8_t prefix)
{
	switch (opcode >> 4) {
	case 0x4:				/* cmov, jcc, setcc */
	case 0x8:
	case 0x9:
		return INSTRUCTION_FLAGS_READ;
	default:
		break;
	}
	switch (opcode) {
	case 0x05:				/* syscall saves them in r11 */
	case 0x07:
	case 0x0b:				/* what the kernel saves */
	case 0x34:
	case 0xb9:
	case 0xff:
		return INSTRUCTION_FLAGS_READ;
	case 0x2e:				/* ucomis, comis */
	case 0x2f:
	case 0xb0:				/* cmpxchg, xadd */
	case 0xb1:
	case 0xc0:
	case 0xc1:
		return INSTRUCTION_FLAGS_KILLED;
	case 0xb8:
		return prefix == 0xf3 ? INSTRUCTION_FLAGS_KILLED :
		    INSTRUCTION_FLAGS_READ;	/* popcnt */
	default:
		return INSTRUCTION_FLAGS_KEPT;
	}
}

enum instruction_flags
flag_use_find(enum opcode_map map, uint8_t opcode, uint8_t modrm,
    uint8_t prefix)
{
	switch (map) {
	case OPCODE_MAP_ONE:
		return flags_of_one_byte(opcode, modrm, prefix == 0xf2 ||
		    prefix == 0xf3);
	case OPCODE_MAP_0F:
		return flags_of_0f(opcode, prefix);
	case OPCODE_MAP_0F38:			/* adcx and adox */
		return opcode == 0xf6 ? INSTRUCTION_FLAGS_READ :
		    INSTRUCTION_FLAGS_KEPT;
	default:
		return INSTRUCTION_FLAGS_KEPT;
	}
}

/*
 * Context: P.  Tables of opcodes, by the manuals of Intel and AMD; see
 * opcode.h.
 */
#include "opcode.h"

#include <stddef.h>

/*
 * A table has a letter for each opcode, sixteen in a row: '.' unknown, '-'
 * alone, 'm' ModRM, 'b' 8-bit, 'w' 16-bit, 'i' 32-bit and 'v' full immediate,
 * 'e' that of enter, 'n' ModRM with 8-bit and 'f' with 32-bit immediate, 'o'
 * offset, 's' 8-bit and 't' 32-bit target, 'p' prefix, 'g' group.
 */
static const char one_byte[] =
	"mmmmbi..mmmmbi.."	/* 00 */
	"mmmmbi..mmmmbi.."	/* 10 */
	"mmmmbip.mmmmbip."	/* 20 */
	"mmmmbip.mmmmbip."	/* 30 */
	"pppppppppppppppp"	/* 40: REX */
	"----------------"	/* 50 */
	"...mppppifbn----"	/* 60 */
	"ssssssssssssssss"	/* 70 */
	"nf.nmmmmmmmmgggg"	/* 80 */
	"----------.-----"	/* 90 */
	"oooo----bi------"	/* a0 */
	"bbbbbbbbvvvvvvvv"	/* b0 */
	"nnw-..gge-w--b.-"	/* c0 */
	"mmmm...-mmmmmmmm"	/* d0 */
	"ssssbbbbtt.s----"	/* e0 */
	"p-pp--gg------gg";	/* f0 */

static const char map_0f[] =
	"mmmm.-----.-.m.."	/* 00 */
	"mmmmmmmmmmmmmmmm"	/* 10 */
	"........mmmmmmmm"	/* 20 */
	"------.-........"	/* 30 */
	"mmmmmmmmmmmmmmmm"	/* 40 */
	"mmmmmmmmmmmmmmmm"	/* 50 */
	"mmmmmmmmmmmmmmmm"	/* 60 */
	"nnnnmmm-mm..mmmm"	/* 70 */
	"tttttttttttttttt"	/* 80 */
	"mmmmmmmmmmmmmmmm"	/* 90 */
	"---mnm..---mnmmm"	/* a0 */
	"mmmmmmmmmmgmmmmm"	/* b0 */
	"mmnmnnng--------"	/* c0 */
	"mmmmmmmmmmmmmmmm"	/* d0 */
	"mmmmmmmmmmmmmmmm"	/* e0 */
	"mmmmmmmmmmmmmmmm";	/* f0 */

static const char map_0f38[] =
	"mmmmmmmmmmmm...."	/* 00 */
	"m...mm.m....mmm."	/* 10 */
	"mmmmmm..mmmm...."	/* 20 */
	"mmmmmm.mmmmmmmmm"	/* 30 */
	"mm.............."	/* 40 */
	"................"	/* 50 */
	"................"	/* 60 */
	"................"	/* 70 */
	"mmm............."	/* 80 */
	"................"	/* 90 */
	"................"	/* a0 */
	"................"	/* b0 */
	"........mmmmmm.m"	/* c0 */
	"...........mmmmm"	/* d0 */
	"................"	/* e0 */
	"mm...mm.mm......";	/* f0 */

static const char map_0f3a[] =
	"........nnnnnnnn"	/* 00 */
	"....nnnn........"	/* 10 */
	"nnn............."	/* 20 */
	"................"	/* 30 */
	"nnn.n..........."	/* 40 */
	"................"	/* 50 */
	"nnnn............"	/* 60 */
	"................"	/* 70 */
	"................"	/* 80 */
	"................"	/* 90 */
	"................"	/* a0 */
	"................"	/* b0 */
	"............n.nn"	/* c0 */
	"...............n"	/* d0 */
	"................"	/* e0 */
	"................";	/* f0 */

/* Behind VEX and EVEX, the map 0f; all of 0f38 has ModRM, 0f3a an immediate. */
static const char vector_0f[] =
	"................"	/* 00 */
	"mmmmmmmm........"	/* 10 */
	"........mmmmmmmm"	/* 20 */
	"................"	/* 30 */
	".mm.mmmm..mm...."	/* 40 */
	"mmmmmmmmmmmmmmmm"	/* 50 */
	"mmmmmmmmmmmmmmmm"	/* 60 */
	"nnnnmmm-mmmmmmmm"	/* 70 */
	"................"	/* 80 */
	"mmmm....mm......"	/* 90 */
	"..............m."	/* a0 */
	"................"	/* b0 */
	"..n.nnn........."	/* c0 */
	"mmmmmmmmmmmmmmmm"	/* d0 */
	"mmmmmmmmmmmmmmmm"	/* e0 */
	"mmmmmmmmmmmmmmm.";	/* f0 */

static enum opcode_form
form_of_letter(char letter)
{
	switch (letter) {
	case '-':
		return OPCODE_ALONE;
	case 'm':
		return OPCODE_MODRM;
	case 'b':
		return OPCODE_IMM8;
	case 'w':
		return OPCODE_IMM16;
	case 'i':
		return OPCODE_IMM32;
	case 'v':
		return OPCODE_IMM_FULL;
	case 'e':
		return OPCODE_IMM16_IMM8;
	case 'n':
		return OPCODE_MODRM_IMM8;
	case 'f':
		return OPCODE_MODRM_IMM32;
	case 'o':
		return OPCODE_OFFSET;
	case 's':
		return OPCODE_TARGET8;
	case 't':
		return OPCODE_TARGET32;
	case 'p':
		return OPCODE_PREFIX;
	case 'g':
		return OPCODE_GROUP;
	default:
		return OPCODE_UNKNOWN;
	}
}

enum opcode_form
opcode_form(enum opcode_map map, uint8_t opcode)
{
	static const char *const maps[] = {
		[OPCODE_MAP_ONE] = one_byte, [OPCODE_MAP_0F] = map_0f,
		[OPCODE_MAP_0F38] = map_0f38, [OPCODE_MAP_0F3A] = map_0f3a,
	};

	return form_of_letter(maps[map][opcode]);
}

enum opcode_form
opcode_form_of_vector(enum opcode_map map, uint8_t opcode)
{
	switch (map) {
	case OPCODE_MAP_0F:
		return form_of_letter(vector_0f[opcode]);
	case OPCODE_MAP_0F38:
		return OPCODE_MODRM;
	case OPCODE_MAP_0F3A:
		return OPCODE_MODRM_IMM8;
	default:
		return OPCODE_UNKNOWN;
	}
}

/* Does what opcode_form_of_group() does, for the one-byte map. */
static enum opcode_form
form_of_one_byte_group(uint8_t opcode, unsigned reg, bool memory)
{
	switch (opcode) {
	case 0x8c:				/* mov from a segment */
		return reg <= 5 ? OPCODE_MODRM : OPCODE_UNKNOWN;
	case 0x8d:				/* lea */
		return memory ? OPCODE_MODRM : OPCODE_UNKNOWN;
	case 0x8e:				/* mov to a segment, not cs */
		return reg <= 5 && reg != 1 ? OPCODE_MODRM : OPCODE_UNKNOWN;
	case 0x8f:				/* pop, or XOP */
		return reg == 0 ? OPCODE_MODRM : OPCODE_UNKNOWN;
	case 0xc6:				/* mov */
		return reg == 0 ? OPCODE_MODRM_IMM8 : OPCODE_UNKNOWN;
	case 0xc7:
		return reg == 0 ? OPCODE_MODRM_IMM32 : OPCODE_UNKNOWN;
	case 0xf6:				/* test, and others alone */
		return reg <= 1 ? OPCODE_MODRM_IMM8 : OPCODE_MODRM;
	case 0xf7:
		return reg <= 1 ? OPCODE_MODRM_IMM32 : OPCODE_MODRM;
	case 0xfe:				/* inc, dec */
		return reg <= 1 ? OPCODE_MODRM : OPCODE_UNKNOWN;
	case 0xff:				/* far call and jump: memory */
		return reg == 7 || ((reg == 3 || reg == 5) && !memory) ?
		    OPCODE_UNKNOWN : OPCODE_MODRM;
	default:
		return OPCODE_UNKNOWN;
	}
}

enum opcode_form
opcode_form_of_group(enum opcode_map map, uint8_t opcode, uint8_t modrm)
{
	const unsigned reg = modrm >> 3 & 7;
	const bool memory = modrm >> 6 != 3;

	if (map == OPCODE_MAP_ONE)
		return form_of_one_byte_group(opcode, reg, memory);
	if (map != OPCODE_MAP_0F)
		return OPCODE_UNKNOWN;
	if (opcode == 0xba)			/* bt, bts, btr, btc */
		return reg >= 4 ? OPCODE_MODRM_IMM8 : OPCODE_UNKNOWN;
	/* 0f c7: cmpxchg8b, xsaves and others; rdrand, rdseed */
	return reg == 1 || (reg >= 3 && reg <= 5) ?
	    (memory ? OPCODE_MODRM : OPCODE_UNKNOWN) :
	    reg >= 6 ? OPCODE_MODRM : OPCODE_UNKNOWN;
}

/*
 * Context: P.  Decodes an instruction of x86-64; see instruction.h.
 *
 * The order of its parts: prefixes, of which REX is the last; an opcode of one
 * to three bytes, or VEX or EVEX with an opcode; ModRM, SIB and a displacement;
 * an immediate.
 */
#include "instruction.h"

#include "flag_use.h"
#include "opcode.h"

#include <string.h>

/* State of a decoding.  `at` is behind the part that was read last. */
struct decoder {
	const uint8_t *code;
	size_t at, end;
	uint8_t prefix;		/* the last of 66, f2 and f3, or 0 */
	uint8_t opcode, modrm;
	enum opcode_map map;
	enum opcode_form form;
	bool operand16;		/* prefix 66 */
	bool other_prefix;	/* f0, f2 or f3 */
	bool rex, rex_w;
	bool vector;		/* behind VEX or EVEX */
};

/* Reads a byte.  Returns whether there is one. */
static bool
read_byte(struct decoder *d, uint8_t *byte)
{
	if (d->at >= d->end)
		return false;
	*byte = d->code[d->at++];
	return true;
}

/* Reads the prefixes and the first byte of the opcode. */
static bool
read_prefixes(struct decoder *d, struct instruction *in)
{
	uint8_t byte;

	while (read_byte(d, &byte)) {
		if (opcode_form(OPCODE_MAP_ONE, byte) != OPCODE_PREFIX) {
			d->opcode = byte;
			return true;
		}
		/* A REX that another prefix follows has no effect. */
		d->rex = (byte & 0xf0) == 0x40;
		d->rex_w = d->rex && (byte & 8) != 0;
		d->operand16 |= byte == 0x66;
		d->other_prefix |= byte == 0xf0 || byte == 0xf2 ||
		    byte == 0xf3;
		in->address32 |= byte == 0x67;
		if (byte == 0x66 || byte == 0xf2 || byte == 0xf3)
			d->prefix = byte;
	}
	return false;
}

/* Reads the rest of an opcode that begins with 0f. */
static bool
read_0f_opcode(struct decoder *d)
{
	if (!read_byte(d, &d->opcode))
		return false;
	d->map = OPCODE_MAP_0F;
	if (d->opcode != 0x38 && d->opcode != 0x3a)
		return true;
	d->map = d->opcode == 0x38 ? OPCODE_MAP_0F38 : OPCODE_MAP_0F3A;
	return read_byte(d, &d->opcode);
}

/*
 * Reads the payload of c5, c4 or 62 and the opcode behind it.  Returns false
 * for maps that have no instructions, and for APX.
 */
static bool
read_vector_opcode(struct decoder *d)
{
	const uint8_t escape = d->opcode;
	const size_t payload = escape == 0xc5 ? 1 : escape == 0xc4 ? 2 : 3;
	const uint8_t *bytes = d->code + d->at;
	unsigned map;

	if (d->operand16 || d->other_prefix || d->rex ||
	    d->end - d->at <= payload)
		return false;
	map = escape == 0xc5 ? 1 : escape == 0xc4 ? bytes[0] & 0x1f :
	    bytes[0] & 7;
	if (escape == 0x62 && ((bytes[0] & 8) != 0 || (bytes[1] & 4) == 0))
		return false;
	d->at += payload;
	d->opcode = d->code[d->at++];
	d->vector = true;
	/* Maps 5 and 6 of EVEX, half precision, are as 0f38. */
	if (escape == 0x62 && (map == 5 || map == 6))
		map = OPCODE_MAP_0F38;
	if (map < OPCODE_MAP_0F || map > OPCODE_MAP_0F3A ||
	    (escape == 0x62 && map == OPCODE_MAP_0F && d->opcode == 0x77))
		return false;
	d->map = (enum opcode_map)map;
	return true;
}

/* Reads the opcode and says what follows. */
static bool
read_opcode(struct decoder *d, struct instruction *in)
{
	bool whole = true;

	if (!read_prefixes(d, in))
		return false;
	in->opcode_at = (uint8_t)(d->at - 1);
	if (d->opcode == 0x0f)
		whole = read_0f_opcode(d);
	else if (d->opcode == 0xc4 || d->opcode == 0xc5 || d->opcode == 0x62)
		whole = read_vector_opcode(d);
	if (!whole)
		return false;
	d->form = d->vector ? opcode_form_of_vector(d->map, d->opcode) :
	    opcode_form(d->map, d->opcode);
	return d->form != OPCODE_UNKNOWN && d->form != OPCODE_PREFIX;
}

static bool
has_modrm(enum opcode_form form)
{
	return form == OPCODE_MODRM || form == OPCODE_MODRM_IMM8 ||
	    form == OPCODE_MODRM_IMM32 || form == OPCODE_GROUP;
}

/* Returns whether this is xbegin or xabort: their ModRM byte is no operand. */
static bool
is_transaction(const struct decoder *d)
{
	return d->map == OPCODE_MAP_ONE && d->modrm == 0xf8 &&
	    (d->opcode == 0xc6 || d->opcode == 0xc7);
}

/* Reads ModRM, SIB and the displacement, if the form has them. */
static bool
read_modrm(struct decoder *d, struct instruction *in)
{
	uint8_t sib = 0;
	unsigned mod, base;

	if (!has_modrm(d->form))
		return true;
	if (!read_byte(d, &d->modrm))
		return false;
	if (d->form == OPCODE_GROUP && is_transaction(d))
		d->form = d->opcode == 0xc6 ? OPCODE_MODRM_IMM8 :
		    OPCODE_TARGET32;
	else if (d->form == OPCODE_GROUP)
		d->form = opcode_form_of_group(d->map, d->opcode, d->modrm);
	mod = d->modrm >> 6;
	base = d->modrm & 7;
	if (mod == 3)
		return true;
	if (base == 4) {
		if (!read_byte(d, &sib))
			return false;
		base = sib & 7;
	} else if (mod == 0 && base == 5) {
		in->memory_at = (uint8_t)d->at;
	}
	d->at += mod == 1 ? 1 : mod == 2 || (mod == 0 && base == 5) ? 4 : 0;
	return true;
}

/* Returns the bytes of the immediate or the target. */
static size_t
immediate_bytes(const struct decoder *d, const struct instruction *in)
{
	const bool wide = !d->operand16 || d->rex_w;

	switch (d->form) {
	case OPCODE_IMM8:
	case OPCODE_MODRM_IMM8:
	case OPCODE_TARGET8:
		return 1;
	case OPCODE_IMM16:
		return 2;
	case OPCODE_IMM16_IMM8:
		return 3;
	case OPCODE_IMM32:
	case OPCODE_MODRM_IMM32:
		return wide ? 4 : 2;
	case OPCODE_IMM_FULL:
		return d->rex_w ? 8 : wide ? 4 : 2;
	case OPCODE_OFFSET:
		return in->address32 ? 4 : 8;
	case OPCODE_TARGET32:
		return 4;
	default:
		return 0;
	}
}

/*
 * Returns whether it is known what the instruction is: not if processors differ
 * (a target of 16 bits), or if another instruction has these bytes.
 */
static bool
is_certain(const struct decoder *d)
{
	const bool target = d->form == OPCODE_TARGET8 ||
	    d->form == OPCODE_TARGET32;

	if (d->form == OPCODE_UNKNOWN ||
	    (target && d->operand16 && !d->rex_w))
		return false;
	if (d->vector || d->map != OPCODE_MAP_0F)
		return true;
	/* popcnt, not jmpe; vmread, not extrq and insertq with immediates */
	return d->opcode == 0xb8 ? d->prefix == 0xf3 : d->opcode != 0x78 ||
	    d->prefix == 0;
}

static enum instruction_kind
kind_of_0f(const struct decoder *d)
{
	switch (d->opcode) {
	case 0x05:
	case 0x34:
		return INSTRUCTION_SYSTEM;
	case 0x07:
	case 0x35:
	case 0xaa:				/* rsm */
		return INSTRUCTION_RETURN;
	case 0x0b:
	case 0xb9:
	case 0xff:
		return INSTRUCTION_TRAP;
	default:
		return d->opcode >> 4 == 8 ? INSTRUCTION_BRANCH :
		    INSTRUCTION_PLAIN;
	}
}

/* Returns the kind of ff: near and far calls and jumps, and others. */
static enum instruction_kind
kind_of_ff(uint8_t modrm)
{
	switch (modrm >> 3 & 7) {
	case 2:
	case 3:
		return INSTRUCTION_CALL_INDIRECT;
	case 4:
	case 5:
		return INSTRUCTION_JUMP_INDIRECT;
	default:
		return INSTRUCTION_PLAIN;
	}
}

static enum instruction_kind
kind_of_one_byte(const struct decoder *d)
{
	switch (d->opcode) {
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcf:
		return INSTRUCTION_RETURN;
	case 0xc7:
		return is_transaction(d) ? INSTRUCTION_XBEGIN :
		    INSTRUCTION_PLAIN;
	case 0xcc:
	case 0xf1:
	case 0xf4:
		return INSTRUCTION_TRAP;
	case 0xcd:
		return d->code[d->at - 1] == 0x80 ? INSTRUCTION_SYSTEM :
		    INSTRUCTION_TRAP;
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
		return INSTRUCTION_LOOP;
	case 0xe8:
		return INSTRUCTION_CALL;
	case 0xe9:
	case 0xeb:
		return INSTRUCTION_JUMP;
	case 0xff:
		return kind_of_ff(d->modrm);
	default:
		return d->opcode >> 4 == 7 ? INSTRUCTION_BRANCH :
		    INSTRUCTION_PLAIN;
	}
}

static enum instruction_kind
kind_of(const struct decoder *d)
{
	return d->vector ? INSTRUCTION_PLAIN :
	    d->map == OPCODE_MAP_ONE ? kind_of_one_byte(d) :
	    d->map == OPCODE_MAP_0F ? kind_of_0f(d) : INSTRUCTION_PLAIN;
}

bool
instruction_decode(const uint8_t *code, size_t room, struct instruction *in)
{
	struct decoder d = {
		.code = code, .end = room < INSTRUCTION_MOST ? room :
		    INSTRUCTION_MOST,
	};
	size_t bytes;

	memset(in, 0, sizeof(*in));
	if (!read_opcode(&d, in) || !read_modrm(&d, in) || !is_certain(&d))
		return false;
	bytes = immediate_bytes(&d, in);
	if (d.form == OPCODE_TARGET8 || d.form == OPCODE_TARGET32) {
		in->target_at = (uint8_t)d.at;
		in->target_bytes = (uint8_t)bytes;
	}
	d.at += bytes;
	if (d.at > d.end)
		return false;
	in->bytes = (uint8_t)d.at;
	in->kind = (uint8_t)kind_of(&d);
	in->flags = (uint8_t)(d.vector ? INSTRUCTION_FLAGS_KEPT :
	    flag_use_find(d.map, d.opcode, d.modrm, d.prefix));
	return true;
}

uint64_t
instruction_target(const struct instruction *in, const uint8_t *code,
    uint64_t address)
{
	int32_t distance;

	if (in->target_bytes == 1)
		distance = (int8_t)code[in->target_at];
	else
		memcpy(&distance, code + in->target_at, sizeof(distance));
	return address + in->bytes + (uint64_t)(int64_t)distance;
}

uint64_t
instruction_memory(const struct instruction *in, const uint8_t *code,
    uint64_t address)
{
	int32_t distance;

	memcpy(&distance, code + in->memory_at, sizeof(distance));
	return address + in->bytes + (uint64_t)(int64_t)distance;
}

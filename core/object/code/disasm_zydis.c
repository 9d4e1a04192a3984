/*
 * Context: O.  Prints instructions of x86-64 as text with Zydis, for annotated
 * code, and spells them as objdump does; see disasm.h.
 */
#include "code/disasm.h"

#include <Zydis/Zydis.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct disasm {
	ZydisDecoder decoder;
	ZydisFormatter formatter;
};

/* Makes the formatter write numbers as objdump does. */
static bool
spell_plainly(ZydisFormatter *f)
{
	return ZYAN_SUCCESS(ZydisFormatterSetProperty(f,
	    ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE)) &&
	    ZYAN_SUCCESS(ZydisFormatterSetProperty(f,
	    ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
	    ZYDIS_PADDING_DISABLED)) &&
	    ZYAN_SUCCESS(ZydisFormatterSetProperty(f,
	    ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE,
	    ZYDIS_PADDING_DISABLED)) &&
	    ZYAN_SUCCESS(ZydisFormatterSetProperty(f,
	    ZYDIS_FORMATTER_PROP_IMM_SIGNEDNESS,
	    ZYDIS_SIGNEDNESS_UNSIGNED)) &&
	    ZYAN_SUCCESS(ZydisFormatterSetProperty(f,
	    ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED)) &&
	    ZYAN_SUCCESS(ZydisFormatterSetProperty(f,
	    ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED));
}

struct disasm *
disasm_open(unsigned machine)
{
	struct disasm *d = machine == EM_X86_64 ? calloc(1, sizeof(*d)) : NULL;

	if (d == NULL)
		return NULL;
	if (ZYAN_SUCCESS(ZydisDecoderInit(&d->decoder,
	    ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) &&
	    ZYAN_SUCCESS(ZydisFormatterInit(&d->formatter,
	    ZYDIS_FORMATTER_STYLE_ATT)) && spell_plainly(&d->formatter))
		return d;
	free(d);
	return NULL;
}

void
disasm_close(struct disasm *d)
{
	free(d);
}

/* An instruction that was decoded, and its text by Zydis. */
struct spelling {
	const ZydisDecodedInstruction *own;
	const ZydisDecodedOperand *operands;
	const char *mnemonic;	/* as Zydis spells it, without its NUL */
	size_t bytes;		/* of the mnemonic */
	const char *rest;	/* operands, or "" */
};

/* Returns the letter that AT&T's syntax has for an operand of these bits. */
static char
size_letter(unsigned bits)
{
	return bits == 8 ? 'b' : bits == 16 ? 'w' : bits == 32 ? 'l' : 'q';
}

/* Conditions for which objdump has another name. */
static const struct {
	const char *zydis, *objdump;
} conditions[] = {
	{ "nbe", "a" }, { "nle", "g" }, { "nb", "ae" }, { "nl", "ge" },
	{ "nz", "ne" }, { "z", "e" },
};

/* Whole names that objdump spells in another way. */
static const struct {
	ZydisMnemonic number;
	const char *name;
} names[] = {
	{ ZYDIS_MNEMONIC_CBW, "cbtw" }, { ZYDIS_MNEMONIC_CWDE, "cwtl" },
	{ ZYDIS_MNEMONIC_CDQE, "cltq" }, { ZYDIS_MNEMONIC_CWD, "cwtd" },
	{ ZYDIS_MNEMONIC_CDQ, "cltd" }, { ZYDIS_MNEMONIC_CQO, "cqto" },
	{ ZYDIS_MNEMONIC_MOVSXD, "movslq" }, { ZYDIS_MNEMONIC_MOVSS, "movss" },
};

/* Returns the length of the part before the condition, as of "set"; or 0. */
static size_t
bytes_before_condition(const ZydisDecodedInstruction *own)
{
	switch (own->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return 1;
	case ZYDIS_CATEGORY_SETCC:
		return 3;
	case ZYDIS_CATEGORY_CMOV:
		return 4;
	default:
		return 0;
	}
}

/*
 * Writes a name with a condition.  Zydis may put the letter of a size behind
 * it, which objdump leaves out.
 */
static bool
spell_condition(const struct spelling *s, char *to, size_t room)
{
	const size_t before = bytes_before_condition(s->own);

	for (size_t i = 0; before != 0 && i < sizeof(conditions) /
	    sizeof(conditions[0]); i++) {
		const size_t bytes = strlen(conditions[i].zydis);

		if (s->bytes < before + bytes || strncmp(s->mnemonic + before,
		    conditions[i].zydis, bytes) != 0 ||
		    s->bytes > before + bytes + 1)
			continue;
		snprintf(to, room, "%.*s%s", (int)before, s->mnemonic,
		    conditions[i].objdump);
		return true;
	}
	return false;
}

/*
 * Writes names whose form depends on the operands: of a widening, of a number
 * of 64 bits in the code, of a conversion from memory.
 */
static bool
spell_by_operands(const struct spelling *s, char *to, size_t room)
{
	const ZydisDecodedOperand *o = s->operands;

	switch (s->own->mnemonic) {
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVZX:
		snprintf(to, room, "mov%c%c%c", s->own->mnemonic ==
		    ZYDIS_MNEMONIC_MOVSX ? 's' : 'z', size_letter(o[1].size),
		    size_letter(o[0].size));
		return true;
	case ZYDIS_MNEMONIC_MOV:
		snprintf(to, room, "movabs");
		return s->own->raw.imm[0].size == 64;
	case ZYDIS_MNEMONIC_MOVSD:
		snprintf(to, room, "movsd");
		return s->own->operand_count_visible != 0;
	case ZYDIS_MNEMONIC_CVTSI2SD:
	case ZYDIS_MNEMONIC_CVTSI2SS:
		snprintf(to, room, "%.*s%c", (int)s->bytes, s->mnemonic,
		    size_letter(o[1].size));
		return o[1].type == ZYDIS_OPERAND_TYPE_MEMORY;
	case ZYDIS_MNEMONIC_NOP:
		snprintf(to, room, "nop%c", size_letter(o[0].size));
		return s->own->operand_count_visible != 0;
	default:
		return false;
	}
}

/* Writes the mnemonic as objdump does. */
static void
spell_mnemonic(const struct spelling *s, char *to, size_t room)
{
	if (spell_by_operands(s, to, room))
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (s->own->mnemonic == names[i].number) {
			snprintf(to, room, "%s", names[i].name);
			return;
		}
	if (!spell_condition(s, to, room))
		snprintf(to, room, "%.*s", (int)s->bytes, s->mnemonic);
}

/*
 * Writes the operands: commas without blanks, a target of a jump without 0x,
 * and of a nop the place in memory alone.
 */
static void
spell_operands(const struct spelling *s, char *to, size_t room)
{
	const char *from = s->rest;
	const bool target = s->own->operand_count_visible == 1 &&
	    s->operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	    s->operands[0].imm.is_relative;
	const char *comma;
	size_t used = 0;

	if (s->own->mnemonic == ZYDIS_MNEMONIC_NOP &&
	    (comma = strchr(from, ',')) != NULL)
		from = comma + 1;
	from += strspn(from, " ");
	if (target && strncmp(from, "0x", 2) == 0)
		from += 2;
	for (; *from != '\0' && used + 1 < room; from++)
		if (*from != ' ' || from[-1] != ',')
			to[used++] = *from;
	to[used] = '\0';
}

/*
 * Spells the text of an instruction as objdump and perf do.  `text` is the one
 * by Zydis.
 */
static void
spell_as_objdump(const ZydisDecodedInstruction *own,
    const ZydisDecodedOperand *operands, char text[DISASM_TEXT])
{
	char mnemonic[32], rest[DISASM_TEXT], old[DISASM_TEXT];
	struct spelling s = { .own = own, .operands = operands };

	memcpy(old, text, DISASM_TEXT);
	s.mnemonic = old;
	/* A prefix, as of "lock add", is a word of its own. */
	if (strpbrk(old, " ") != NULL && own->attributes &
	    (ZYDIS_ATTRIB_HAS_LOCK | ZYDIS_ATTRIB_HAS_REP |
	    ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
		s.mnemonic = strpbrk(old, " ") + 1;
	s.bytes = strcspn(s.mnemonic, " ");
	s.rest = s.mnemonic + s.bytes;
	spell_mnemonic(&s, mnemonic, sizeof(mnemonic));
	spell_operands(&s, rest, sizeof(rest));
	snprintf(text, DISASM_TEXT, "%.*s%s%s%.190s", (int)(s.mnemonic - old),
	    old, mnemonic, rest[0] != '\0' ? " " : "", rest);
}

size_t
disasm_next(struct disasm *d, const unsigned char *bytes, size_t count,
    uint64_t address, char text[DISASM_TEXT])
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction own;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&d->decoder, bytes, count,
	    &own, operands)) ||
	    !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&d->formatter, &own,
	    operands, own.operand_count_visible, text, DISASM_TEXT, address,
	    NULL)))
		return 0;
	spell_as_objdump(&own, operands, text);
	return own.length;
}

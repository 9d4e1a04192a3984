/* Context: O.  Prints instructions of x86-64 as text with Zydis. */
#include "code/disasm.h"

#include <Zydis/Zydis.h>
#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>

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
	return own.length;
}

/*
 * Context: O.  Prints instructions of x86-64 and AArch64 as text with capstone,
 * for annotated code; see disasm.h.
 */
#include "code/disasm.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

struct disasm {
	csh handle;
	cs_insn *one;
};

static bool
open_handle(unsigned machine, csh *handle)
{
	if (machine == EM_AARCH64)
		return cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, handle) ==
		    CS_ERR_OK;
	if (machine != EM_X86_64 ||
	    cs_open(CS_ARCH_X86, CS_MODE_64, handle) != CS_ERR_OK)
		return false;
	cs_option(*handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return true;
}

struct disasm *
disasm_open(unsigned machine)
{
	struct disasm *d = calloc(1, sizeof(*d));

	if (d == NULL || !open_handle(machine, &d->handle)) {
		free(d);
		return NULL;
	}
	d->one = cs_malloc(d->handle);
	if (d->one != NULL)
		return d;
	cs_close(&d->handle);
	free(d);
	return NULL;
}

void
disasm_close(struct disasm *d)
{
	if (d == NULL)
		return;
	cs_free(d->one, 1);
	cs_close(&d->handle);
	free(d);
}

size_t
disasm_next(struct disasm *d, const unsigned char *bytes, size_t count,
    uint64_t address, char text[DISASM_TEXT])
{
	const uint8_t *at = bytes;

	if (!cs_disasm_iter(d->handle, &at, &count, &address, d->one))
		return 0;
	snprintf(text, DISASM_TEXT, "%s%s%s", d->one->mnemonic,
	    d->one->op_str[0] != '\0' ? " " : "", d->one->op_str);
	return d->one->size;
}

/*
 * Context: O.  Stands for a disassembler in a build without one: disasm_open()
 * returns NULL; see disasm.h.
 */
#include "code/disasm.h"

struct disasm *
disasm_open(unsigned machine)
{
	(void)machine;
	return NULL;
}

void
disasm_close(struct disasm *d)
{
	(void)d;
}

size_t
disasm_next(struct disasm *d, const unsigned char *bytes, size_t count,
    uint64_t address, char text[DISASM_TEXT])
{
	(void)d;
	(void)bytes;
	(void)count;
	(void)address;
	text[0] = '\0';
	return 0;
}

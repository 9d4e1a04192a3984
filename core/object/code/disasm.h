/*
 * Context: O.  Writes instructions as text, for annotated code:
 * view/table/code.c alone calls this.  Which library does it is chosen at build
 * time: disasm_zydis.c, disasm_capstone.c or disasm_none.c.
 */
#ifndef DISASM_H
#define DISASM_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the text of one instruction, with its NUL */
#define DISASM_TEXT	256

/* A disassembler for one machine. */
struct disasm;

/*
 * Opens a disassembler for an ELF machine (EM_*).  Returns NULL if this build
 * has none for it, or if memory is out.
 */
struct disasm *disasm_open(unsigned machine);
/* Frees the disassembler; NULL is allowed. */
void disasm_close(struct disasm *d);

/*
 * Writes the instruction at the start of `count` bytes, which is at `address`,
 * to text[]; in AT&T's syntax on x86.  Returns its length in bytes, or 0 if the
 * bytes are no instruction or not all of one.
 */
size_t disasm_next(struct disasm *d, const unsigned char *bytes, size_t count,
    uint64_t address, char text[DISASM_TEXT]);

#endif

/* Context: O.  Instructions as text. */
#ifndef DISASM_H
#define DISASM_H

#include <stddef.h>
#include <stdint.h>

#define DISASM_TEXT	256	/* bytes of one, with its end */

struct disasm;

/* For an ELF machine (EM_*); NULL: none that this build knows. */
struct disasm *disasm_open(unsigned machine);
void disasm_close(struct disasm *d);

/*
 * The one at the start of the bytes, in AT&T's syntax on x86.  Its length; 0:
 * it is none, or not all of it is there.
 */
size_t disasm_next(struct disasm *d, const unsigned char *bytes, size_t count,
    uint64_t address, char text[DISASM_TEXT]);

#endif

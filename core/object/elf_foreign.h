/* Context: O.  Names in an object of another machine. */
#ifndef ELF_FOREIGN_H
#define ELF_FOREIGN_H

#include "object.h"

/*
 * As object_resolve(), of an ELF file that elf_file.h does not take: of 32
 * bits, or big-endian; such are profiles of classic files.
 */
int elf_foreign_resolve(const struct object_ref *ref, struct symbol *asked,
    size_t count, struct arena *arena, enum object_state *state);

#endif

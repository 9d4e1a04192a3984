/*
 * Context: O.  Names in an object of another machine, for the files of classic
 * profilers.  object_resolve() calls this where elf_file.h opens no such file.
 */
#ifndef ELF_FOREIGN_H
#define ELF_FOREIGN_H

#include "object.h"

/*
 * Works as object_resolve() on an ELF file that elf_file.h does not open: one
 * of 32 bits, or big-endian.  Classic profiles may be from such machines.  The
 * addresses must have no names yet.  Finds no lines and no debug file.
 */
int elf_foreign_resolve(const struct object_ref *ref, struct symbol *asked,
    size_t count, struct arena *arena, enum object_state *state);

#endif

/*
 * Context: O.  Names the stubs of the procedure linkage table by the function
 * that each calls.
 */
#ifndef PLT_H
#define PLT_H

#include "symbol/symbol_lookup.h"

/*
 * Names the asked addresses that lie in a .plt section "function@plt".  Returns
 * 0 or -ENOMEM.
 */
int plt_name(const struct elf_file *f, struct symbol *asked, size_t count,
    struct arena *arena);

#endif

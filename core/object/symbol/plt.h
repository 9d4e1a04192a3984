/*
 * Context: O.  Names the stubs of the procedure linkage table by the function
 * that each calls.  For object_resolve().
 */
#ifndef PLT_H
#define PLT_H

#include "symbol/symbol_lookup.h"

/*
 * Gives the asked addresses that lie in stubs of .plt, .plt.sec or .plt.got the
 * name "function@plt".  The addresses ascend.  Returns 0 or -ENOMEM.
 */
int plt_name(const struct elf_file *f, struct symbol *asked, size_t count,
    struct arena *arena);

#endif

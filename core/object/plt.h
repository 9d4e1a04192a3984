/* Context: O.  Which function a stub of the procedure linkage table calls. */
#ifndef PLT_H
#define PLT_H

#include "symbol_lookup.h"

/* Name what lies in a .plt section "function@plt".  0 or -ENOMEM. */
int plt_name(const struct elf_file *f, struct symbol *asked, size_t count,
    struct arena *arena);

#endif

/* Context: O.  The symbols in .gnu_debugdata (LZMA), as Fedora strips. */
#ifndef MINIDEBUG_H
#define MINIDEBUG_H

#include "symbol.h"

/* Opaque; holds the names that it offered. */
struct Dwfl;

/* Offer them to s, if the file has any; *keep is closed after the settling. */
int minidebug_offer(struct symbol_set *s, const struct elf_file *f,
    const char *path, struct Dwfl **keep);
void minidebug_close(struct Dwfl *keep);

#endif

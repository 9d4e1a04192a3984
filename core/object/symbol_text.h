/* Context: O.  Symbols from text files: JIT maps and /proc/kallsyms. */
#ifndef SYMBOL_TEXT_H
#define SYMBOL_TEXT_H

#include "symbol_lookup.h"

#include <sys/types.h>

/*
 * Both name what they can of ascending addresses; a file that is not there or
 * not to be trusted names nothing.  0 or -ENOMEM.
 */

/*
 * The perf map of a process: "START SIZE NAME" in hex, a line a piece of
 * generated code, in order of time: of two that overlap the later one holds.
 * Only a file of `owner` or of root is believed.
 */
int jitmap_name(const char *path, uid_t owner, struct symbol *asked,
    size_t count, struct arena *arena);

/* Addresses of the running kernel; -ENOENT: it shows none to this user. */
int kallsyms_name(const char *path, struct symbol *asked, size_t count,
    struct arena *arena);

/* All bytes of a file and a NUL, malloced; NULL when it cannot be read. */
char *symbol_text_read(const char *path, size_t *bytes, uid_t *owner);

#endif

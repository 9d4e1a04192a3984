/*
 * Context: O.  Symbols from text files: perf maps of compilers (code/jitmap.c)
 * and /proc/kallsyms (kallsyms_name.c).  generated_names.c and symbolize.c of
 * the model's names call the two functions.
 */
#ifndef SYMBOL_TEXT_H
#define SYMBOL_TEXT_H

#include "symbol/symbol_lookup.h"

#include <sys/types.h>


/*
 * Names the asked addresses, which ascend, from the perf map of a process: a
 * line "START SIZE NAME", in hex, for each piece of generated code, in order of
 * time; of two that overlap the later one counts.  Only a file of `owner` or
 * root is believed; any other, or none, names nothing.  Returns 0 or -ENOMEM.
 */
int jitmap_name(const char *path, uid_t owner, struct symbol *asked,
    size_t count, struct arena *arena);

/*
 * Names the asked addresses, which ascend, from `path`, in the format of
 * /proc/kallsyms of the running kernel.  Changes nothing of an address without
 * a symbol.  Returns 0; -ENOENT if the file cannot be read or shows this user
 * no addresses; or -ENOMEM.
 */
int kallsyms_name(const char *path, struct symbol *asked, size_t count,
    struct arena *arena);

/*
 * Returns all bytes of a file and a NUL, malloced, or NULL if it cannot be read
 * or is a symbolic link.  *bytes is their number, *owner the user of the file.
 */
char *symbol_text_read(const char *path, size_t *bytes, uid_t *owner);

#endif

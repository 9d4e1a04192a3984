/* Context: O.  Names and lines of generated code, from a compiler's jitdump. */
#ifndef JITDUMP_H
#define JITDUMP_H

#include "lines.h"

#include <sys/types.h>

/*
 * Names what it can of ascending addresses; of two pieces of code that overlap
 * the later one holds.  Only a file of that process, and of `owner` or of root,
 * is believed; what is cut short or wrong in it ends the reading.  l: where
 * they are in the source, for lines_free(); NULL = not asked.  0 or -ENOMEM.
 */
int jitdump_name(const char *path, uid_t owner, int32_t pid,
    struct symbol *asked, size_t count, struct arena *arena, struct lines *l);

#endif

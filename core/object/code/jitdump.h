/*
 * Context: O.  Names and lines of generated code, from the jitdump file that
 * its compiler wrote.  names/generated_names.c of the model calls this.
 */
#ifndef JITDUMP_H
#define JITDUMP_H

#include "dwarf/lines.h"

#include <sys/types.h>

/*
 * Names the asked addresses, which ascend, as far as the file has their code;
 * of two pieces of code that overlap the later one counts.  Only a file of the
 * process `pid` that belongs to `owner` or root is believed; a record that is
 * cut short or wrong ends the reading.  *l receives the places in the source,
 * to be freed with lines_free(); it must be all zero or come from an earlier
 * call for these addresses; NULL: not wanted.  Returns 0 or -ENOMEM.
 */
int jitdump_name(const char *path, uid_t owner, int32_t pid,
    struct symbol *asked, size_t count, struct arena *arena, struct lines *l);

#endif

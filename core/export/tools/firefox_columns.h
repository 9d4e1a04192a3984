/*
 * Context: O.  Writes the tables of a thread for the Firefox Profiler, for
 * export_firefox.c.
 */
#ifndef FIREFOX_COLUMNS_H
#define FIREFOX_COLUMNS_H

#include "tools/firefox_tables.h"

#include <stdio.h>

/*
 * Writes the tables of frames, functions, resources and stacks as members of a
 * JSON object, each member with a comma behind it, and adds their texts to the
 * table of texts, which the caller writes after them.  libs: by module, its
 * number in the file's libs + 1, 0: none.
 */
void firefox_columns_put(FILE *out, struct firefox_tables *t,
    const uint32_t *libs);

#endif

/*
 * Context: O.  Reads the bytes of a tprof.out, and truncates them at damage.
 * For read_tprof.c and tprof analyze; read_inputs(), prof --embed and prof
 * record ask tprof_file_probe().
 */
#ifndef TPROF_FILE_H
#define TPROF_FILE_H

#include "foreign/read_tprof.h"

/*
 * Returns whether the file begins with the magic of our tprof.out; false also
 * if it cannot be read.  Reports no fault.
 */
bool tprof_file_probe(const char *path);

/*
 * Reads the file at `path` into *file; the caller frees file->bytes after 0.
 * Returns 0; LOAD_OTHER if it is no tprof.out; or -errno with *f set.  With
 * file->asked every regular file is read; the format is not checked then.
 */
int tprof_file_read(struct read_tprof_request *file, const char *path,
    struct fault *f);

/*
 * Truncates *file in memory to what precedes the damaged record for which
 * read_tprof_add() has refused it with *f, so that it can be added again.
 * Returns false if *f names no place, or nothing precedes that record.
 */
bool tprof_file_trim(struct read_tprof_request *file, const struct fault *f);

#endif

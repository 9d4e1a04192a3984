/*
 * Context: O.  The program of a classic profile: reads its layout and checks it
 * against the file.  For read_classic.c.
 */
#ifndef CLASSIC_PROGRAM_H
#define CLASSIC_PROGRAM_H

#include "read/classic_reader.h"

/* Advice about a file that another program wrote. */
#define CLASSIC_PROGRAM_REMEDY	"name the program that wrote it"

/*
 * Reads the layout of the program that the user named, or of
 * READ_CLASSIC_PROGRAM, and sets x->path; x->known says whether it could be
 * read.  Returns 0 or -ENOMEM with the fault set.
 */
int classic_program_open(struct read_classic *x);

/*
 * Checks that the file is a profile of that program, by word size and byte
 * order, or lists its modules itself, after classic_open().  Returns 0, or
 * -EINVAL with the fault set.
 */
int classic_program_check(struct read_classic *x);

/*
 * Returns whether the filters of the model select the program, and sets
 * model.met if they do.  Nothing is selected where FILTER_PID or FILTER_THREAD
 * is on, as the file does not name them, nor by FILTER_PROGRAM in a file that
 * lists modules.
 */
bool classic_program_is_selected(const struct read_classic *x);

#endif

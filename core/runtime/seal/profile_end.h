/*
 * Context: T.  Writes the end of a process image into its profile: times,
 * reason, the bytes in use.  For seal.c and seal_exec.c, in a process that is
 * not frozen; other threads may still count.
 */
#ifndef PROFILE_END_H
#define PROFILE_END_H

#include "format.h"

/*
 * Writes the times of the process, its last losses and sums, the reason of the
 * end and the exit status (-1: not known) into the header, and marks it sealed.
 */
void profile_end_write(struct format_header *h, enum format_end end,
    int status);

/*
 * Closes the space of the file and returns the bytes in use.  From here on no
 * thread takes space, so the length of the file is final.
 */
uint64_t profile_end_close(struct format_header *h);

#endif

/*
 * Context: T.  Tells the user on standard error, at the end of a process, where
 * its profile is.  seal.c calls it, with msg=yes only.
 */
#ifndef END_NOTE_H
#define END_NOTE_H

#include <stdint.h>

/* Tells that no profile could be written, and why (mon->store.error). */
void end_note_no_profile(void);

/* Tells the path of the profile, and how many ticks it has. */
void end_note_path(uint64_t ticks);

#endif

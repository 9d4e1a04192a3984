/* Context: T.  Writes a message for the user. */
#ifndef STDERR_NOTE_H
#define STDERR_NOTE_H

/*
 * Writes "libmon: ", the texts and a newline to stderr, in one write(2).  The
 * last argument is NULL.  Keeps errno.
 */
void stderr_note(const char *text, ...) __attribute__((sentinel));

#endif

/* Context: T.  Writes a message for the user on standard error. */
#ifndef STDERR_NOTE_H
#define STDERR_NOTE_H

/*
 * Writes "libmon: ", the texts and a newline to stderr, in one write(2), at
 * most 1024 bytes.  The last argument is NULL.  Keeps errno.
 */
void stderr_note(const char *text, ...) __attribute__((sentinel));

#endif

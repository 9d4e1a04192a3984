/*
 * Context: T.  Writes a message for the user to descriptor 2 of the target: for
 * the reader of options, the seal and the classic formats.
 */
#ifndef STDERR_NOTE_H
#define STDERR_NOTE_H

/*
 * Writes "libmon: ", the texts and a newline to stderr, in one write(2), at
 * most 1024 bytes.  The last argument is NULL.  Keeps errno, calls no libc.
 * Not for a frozen process.
 */
void stderr_note(const char *text, ...) __attribute__((sentinel));

#endif

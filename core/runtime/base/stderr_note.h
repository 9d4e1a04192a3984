/* Context: T.  A line on stderr, when one is asked for. */
#ifndef STDERR_NOTE_H
#define STDERR_NOTE_H

/* "libmon: " and the texts, ended by NULL, in one write(2).  Keeps errno. */
void stderr_note(const char *text, ...) __attribute__((sentinel));

#endif

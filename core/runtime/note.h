/* Context: T.  A line on stderr, when one is asked for. */
#ifndef NOTE_H
#define NOTE_H

/* "libmon: " and the texts, ended by NULL, in one write(2).  Keeps errno. */
void note_write(const char *text, ...) __attribute__((sentinel));

#endif

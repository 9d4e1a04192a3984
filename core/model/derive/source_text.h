/*
 * Context: O.  Reads lines of source files that still exist on this machine,
 * for prof's annotated code and the HTML page.  A file need not be the one that
 * was compiled; the caller looks at no time of it.
 */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The lines of one file: the last that was asked for.  All fields 0 is an empty
 * state.
 */
struct source_text {
	char *path;
	char *text;		/* lines are separated by NUL */
	char **lines;
	size_t count;
};

/*
 * Returns a line of the file at `path`, counted from 1; *s owns it, and it is
 * valid until another file is asked for.  Returns NULL if the file cannot be
 * read, is too large or has no such line, or if memory is out.
 */
const char *source_text_line(struct source_text *s, const char *path,
    uint32_t line);

/* Frees the file and makes *s an empty state. */
void source_text_free(struct source_text *s);

#endif

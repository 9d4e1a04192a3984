/* Context: O.  Lines of source files that are still there. */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One file at a time: the last that was asked for. */
struct source_text {
	char *path;
	char *text;		/* lines are parted by '\0' */
	char **lines;
	size_t count;
};

/* A line, from 1 on; NULL: there is none, or the file cannot be read. */
const char *source_text_line(struct source_text *s, const char *path,
    uint32_t line);
void source_text_free(struct source_text *s);

#endif

/*
 * Context: O.  The source lines of a function in a page: those that have code,
 * and a few around them.  For html_code.c, a function at a time;
 * html_code_totals.c adds lines.  It reads the source files of this machine.
 */
#ifndef HTML_CODE_SOURCE_H
#define HTML_CODE_SOURCE_H

#include "derive/source_text.h"
#include "table/code.h"

#include <stdio.h>

/* A source line that is shown. */
struct html_code_spot {
	/* file: index into html_code_source.files + 1, 0: none */
	uint32_t file, line;
};

/* The source of a function.  All fields 0: there is none. */
struct html_code_source {
	const char **files;
	size_t file_count, file_room;
	/* by instruction; behind them lines that were added */
	struct html_code_spot *spots;
	size_t spot_count, spot_room;
	struct source_text text;	/* of all functions */
};

/*
 * Finds the source line of each instruction, in place of those that *s had.
 * Returns 0 or -ENOMEM; html_code_source_free() must be called in the end.
 */
int html_code_source_find(struct html_code_source *s, const struct code *code);
/*
 * Adds a line of a file, whose name lives as long as *s, to those that are
 * shown.  *number receives the number of the file, from 1 on; 0 if `file` is
 * NULL.  Returns 0 or -ENOMEM.
 */
int html_code_source_add(struct html_code_source *s, const char *file,
    uint32_t line, uint32_t *number);
/*
 * Writes the files and the lines, further members of a JSON object.  Sorts the
 * spots: they are no longer by instruction.
 */
void html_code_source_put(struct html_code_source *s, FILE *out);
/* Frees the source. */
void html_code_source_free(struct html_code_source *s);

#endif

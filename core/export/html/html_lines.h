/*
 * Context: O.  Finds for each function of a page the source line in which most
 * of its time passes, in itself or in what it calls there.  For html_tree.c.
 */
#ifndef HTML_LINES_H
#define HTML_LINES_H

#include "base/key_table.h"

/* The time of lines.  All fields 0: there are none. */
struct html_lines {
	struct key_table keys;	/* a: function, b: file, c: line */
	uint64_t *ns;		/* by number of the key */
	size_t room;
};

/*
 * Adds time to a line of a function; the numbers of functions and files are the
 * caller's.  Returns 0 or -ENOMEM.
 */
int html_lines_add(struct html_lines *l, uint32_t function, uint32_t file,
    uint32_t line, uint64_t ns);

/*
 * Sets hottest[] of each of `functions` functions to the index in l->keys of
 * its line with the most time, or to UINT32_MAX if it has none.  All functions
 * that were added are below `functions`.
 */
void html_lines_hottest(const struct html_lines *l, uint32_t *hottest,
    size_t functions);

/* Frees the lines. */
void html_lines_free(struct html_lines *l);

#endif

/* Context: O.  The screen of tprof top as lines of text, and what keys do. */
#ifndef TOP_VIEW_H
#define TOP_VIEW_H

#include "top/top_table.h"

#include <stdio.h>

/* Bytes in a line: what follows is drawn so.  No text of ours has others. */
enum top_style {
	TOP_PLAIN = 1,
	TOP_TITLE,		/* to the end of the line, as the next two */
	TOP_HEADER,
	TOP_SELECTED,
	TOP_KERNEL,
	TOP_DIM,
	TOP_BOLD,
	TOP_LOSS,
	TOP_STYLES,
};

/* Beside characters. */
enum top_key {
	TOP_KEY_UP = 256, TOP_KEY_DOWN, TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME, TOP_KEY_END, TOP_KEY_ENTER, TOP_KEY_BACK,
};

enum top_action {
	TOP_NOTHING,
	TOP_REDRAW,
	TOP_REMAKE,		/* another table */
	TOP_CLEAR,		/* counts begin at 0 */
	TOP_QUIT,
};

/* Lines of the table that a screen of so many rows has; at least 1. */
size_t top_view_lines(const struct top_input *in, const struct top_state *s,
    int rows);

/* The line that is chosen is one of the table, and shown. */
void top_keys_settle(struct top_state *s, const struct top_table *t,
    size_t lines);

/*
 * Exactly `rows` lines of at most `columns`; 0: as many and as wide as there
 * are, without keys.
 */
void top_view_put(FILE *out, const struct top_input *in,
    const struct top_state *s, const struct top_table *t, int columns,
    int rows);

/* The same text without styles. */
void top_view_plain(FILE *out, const char *text);

enum top_action top_keys_handle(struct top_state *s, const struct top_input *in,
    const struct top_table *t, size_t lines, int key);

/* Of top_header.c: all above the table, and how many lines that is. */
void top_header_put(FILE *out, const struct top_input *in,
    const struct top_state *s, int columns);
size_t top_header_lines(const struct top_input *in, const struct top_state *s);
void top_header_help(FILE *out, int columns);
size_t top_header_help_lines(void);

/* A whole line in that style, as wide as the screen is; text from outside. */
void top_view_line(FILE *out, enum top_style style, const char *text,
    int columns);

#endif

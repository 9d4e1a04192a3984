/*
 * Context: O.  Draws the screen of tprof top as lines of text, and handles
 * keys.  cmd/top/tprof_top.c alone uses it; it shows the lines on a terminal or
 * prints them as text.
 */
#ifndef TOP_VIEW_H
#define TOP_VIEW_H

#include "top/top_table.h"

#include <stdio.h>

/*
 * Bytes in a line that say how the text after them is drawn.  Other text has no
 * such bytes.
 */
enum top_style {
	TOP_PLAIN = 1,
	/* this style and the next two reach to the end of the line */
	TOP_TITLE,
	TOP_HEADER,
	TOP_SELECTED,
	TOP_KERNEL,
	TOP_DIM,
	TOP_BOLD,
	TOP_LOSS,
	TOP_STYLES,
};

/* Keys that are not characters. */
enum top_key {
	TOP_KEY_UP = 256, TOP_KEY_DOWN, TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME, TOP_KEY_END, TOP_KEY_ENTER, TOP_KEY_BACK,
};

/* Task of the caller after a key. */
enum top_action {
	TOP_NOTHING,
	TOP_REDRAW,
	TOP_REMAKE,		/* make another table */
	TOP_CLEAR,		/* make counts begin at 0 */
	TOP_QUIT,
};

/*
 * Returns the number of table lines on a screen of `rows` rows; at least 1,
 * also if the screen is too low for it.
 */
size_t top_view_lines(const struct top_input *in, const struct top_state *s,
    int rows);

/*
 * Makes the selected line one of the table, and scrolls so that it is shown.
 * Call it after each new table and each key.  `lines` is the number of table
 * lines on the screen, at least 1.  Defined in top_keys.c.
 */
void top_keys_settle(struct top_state *s, const struct top_table *t,
    size_t lines);

/*
 * Prints the screen: exactly `rows` lines of at most `columns` columns, but
 * more lines if the screen is too low for one line of the table.  rows 0: all
 * lines, without a help line for keys.  columns 0: as wide as needed.  The page
 * of help may have another number of lines.
 */
void top_view_put(FILE *out, const struct top_input *in,
    const struct top_state *s, const struct top_table *t, int columns,
    int rows);

/* Prints a screen that top_view_put() has made without the bytes for styles. */
void top_view_plain(FILE *out, const char *text);

/*
 * Handles a key: a character or an enum top_key.  `lines` is the number of
 * table lines on the screen.  Returns what the caller has to do.  Defined in
 * top_keys.c.
 */
enum top_action top_keys_handle(struct top_state *s, const struct top_input *in,
    const struct top_table *t, size_t lines, int key);

/*
 * Defined in top_header.c: top_header_put() prints everything above the table,
 * top_header_lines() returns how many lines that is; top_header_help() prints
 * the page of help, top_header_help_lines() returns how many lines that is.
 */
void top_header_put(FILE *out, const struct top_input *in,
    const struct top_state *s, int columns);
size_t top_header_lines(const struct top_input *in, const struct top_state *s);
void top_header_help(FILE *out, int columns);
size_t top_header_help_lines(void);

/*
 * Prints a line in one style, cut to the width of the screen (0 = no limit).
 * The text may come from outside.  Defined in top_line.c.
 */
void top_view_line(FILE *out, enum top_style style, const char *text,
    int columns);

#endif

/*
 * Context: O.  The terminal of tprof top: draws lines and reads keys.  Only the
 * main thread, in tprof_top.c, calls this.
 */
#ifndef TPROF_SCREEN_H
#define TPROF_SCREEN_H

#include <stdbool.h>

/*
 * Takes over the terminal.  Returns false if standard output is no terminal
 * with a movable cursor; then only tprof_screen_end() may be called.
 */
bool tprof_screen_begin(void);

/* Restores the terminal.  Does nothing if it was not taken over. */
void tprof_screen_end(void);

/*
 * Adapts to the present size of the terminal (tprof_screen_resize), or returns
 * that size (tprof_screen_size).
 */
void tprof_screen_resize(void);
void tprof_screen_size(int *columns, int *rows);

/* Draws the lines of `text`, with the styles of top_view.h. */
void tprof_screen_draw(const char *text);

/*
 * Returns a key that was pressed, without waiting: a byte of a character, an
 * enum top_key, or 0 for a key without a use; -1 if none was pressed.
 */
int tprof_screen_key(void);

#endif

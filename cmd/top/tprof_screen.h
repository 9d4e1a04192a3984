/* Context: O.  The terminal of tprof top: lines on it, and keys from it. */
#ifndef TPROF_SCREEN_H
#define TPROF_SCREEN_H

#include <stdbool.h>

/* False: standard output is no terminal that can be written all over. */
bool tprof_screen_begin(void);

/* As it was before.  Nothing where nothing was begun. */
void tprof_screen_end(void);

/* It may have another size now. */
void tprof_screen_resize(void);
void tprof_screen_size(int *columns, int *rows);

/* Lines with the styles of top_view.h. */
void tprof_screen_draw(const char *text);

/* A character or enum top_key; -1: none was pressed. */
int tprof_screen_key(void);

#endif

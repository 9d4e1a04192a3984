/*
 * Context: T.  Redirects callers of another allocator to libmon, with
 * mode=heap.  The start of the process (life/start.c) calls it if libmon's own
 * names do not reach the callers; doc/design/heap.md.
 *
 * If another malloc stands before that of libmon, or an allocator defines C++'s
 * operators itself, symbol names are not enough.  The library then changes the
 * addresses that objects have bound already, and the symbols of the allocator,
 * for objects that bind later.
 */
#ifndef GOT_PATCH_H
#define GOT_PATCH_H

#include <stdbool.h>

/*
 * Redirects the callers, once.  Returns false if no malloc stands behind
 * libmon's, if the program itself defines malloc, because its calls cannot be
 * changed, or if pages could not be made writable.  In the last case words that
 * were changed by then stay changed; their calls still work.
 */
bool got_patch_install(void);

#endif

/* Context: O.  Profiles mapped, that somebody may cut meanwhile. */
#ifndef SIGBUS_GUARD_H
#define SIGBUS_GUARD_H

#include "format.h"

/*
 * The header of an open profile, shared with its process.  A file that is cut
 * while it is mapped would end us by SIGBUS: while any is mapped that signal is
 * handled, and where one was it is as if nothing had been in it.  What comes
 * for other reasons goes where it would have gone.  NULL: errno says why.  Any
 * thread.
 */
struct format_header *sigbus_guard_map(int fd);
void sigbus_guard_unmap(struct format_header *h);

#endif
